// herovql: draw a box on a picture, in a notebook. An anywidget module; it loads nothing else.
const COLOR = '#0072b2';

function inside(box, size) { // a box of positive area within the picture
  let [x, y, w, h] = box;
  if (w < 0) { x += w; w = -w; }
  if (h < 0) { y += h; h = -h; }
  const right = Math.min(x + w, size[0]), below = Math.min(y + h, size[1]);
  x = Math.max(0, Math.min(x, size[0] - 2));
  y = Math.max(0, Math.min(y, size[1] - 2));
  return [x, y, Math.max(2, right - x), Math.max(2, below - y)].map(Math.round);
}

function render({model, el}) {
  const canvas = document.createElement('canvas'), picture = new Image();
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'a frame; draw a box, or move it with the arrow keys and Shift');
  Object.assign(canvas.style, {width: '100%', maxWidth: '640px', touchAction: 'none', cursor: 'crosshair'});
  el.append(canvas);
  let start = null, waiting = false, address = null;

  function draw() {
    const [w, h] = model.get('size'), [x, y, bw, bh] = model.get('box'), g = canvas.getContext('2d');
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, {width: w, height: h});
    if (picture.complete && picture.naturalWidth) g.drawImage(picture, 0, 0, w, h);
    const k = w / (canvas.getBoundingClientRect().width || w); // picture pixels to one of the screen
    g.lineWidth = 4 * k; g.strokeStyle = '#fff'; g.strokeRect(x, y, bw, bh);
    g.lineWidth = 2 * k; g.strokeStyle = COLOR; g.strokeRect(x, y, bw, bh);
  }

  function show() { // a new frame
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([model.get('picture')], {type: 'image/png'}));
    picture.src = address;
  }

  function put(box) { // at most one message for each picture on the screen
    model.set('box', inside(box, model.get('size')));
    draw();
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; model.save_changes(); });
  }

  function point(e) {
    const c = canvas.getBoundingClientRect(), k = model.get('size')[0] / c.width;
    return [(e.clientX - c.left) * k, (e.clientY - c.top) * k];
  }

  canvas.onpointerdown = e => { start = point(e); canvas.setPointerCapture(e.pointerId); };
  canvas.onpointermove = e => {
    if (!start) return;
    const [x, y] = point(e);
    if (Math.hypot(x - start[0], y - start[1]) > 3) put([...start, x - start[0], y - start[1]]);
  };
  canvas.onpointerup = canvas.onpointercancel = () => { start = null; };
  canvas.onkeydown = e => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
    if (!step || e.altKey || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation(); // the notebook has plans of its own for these keys
    const [x, y, w, h] = model.get('box'), size = model.get('size'), d = Math.max(1, Math.round(size[0] / 120));
    const [dx, dy] = [step[0] * d, step[1] * d];
    if (e.shiftKey) put([x, y, Math.max(2, w + dx), Math.max(2, h + dy)]);
    else put([Math.max(0, Math.min(x + dx, size[0] - w)), Math.max(0, Math.min(y + dy, size[1] - h)), w, h]);
  };
  picture.onload = draw;
  model.on('change:picture', show);
  model.on('change:box', draw);
  show();
  draw();
  return () => {
    model.off('change:picture', show);
    model.off('change:box', draw);
    if (address) URL.revokeObjectURL(address);
  };
}

export default {render};
