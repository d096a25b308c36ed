// herovql app: choose a video, draw a box or drop pictures, ask, look.
'use strict';
const $ = id => document.getElementById(id);
const api = path => document.body.dataset.root + path;
const MOST = 8; // pictures of one question
const state = {video: null, box: null, pictures: [], answer: null, still: false, at: 0, running: false};

function say(text, bad) {
  $('status').textContent = text;
  $('status').className = bad ? 'error' : '';
}

async function fetchJson(path, options) {
  const r = await fetch(api(path), options);
  const body = await r.json().catch(() => ({error: 'the app did not answer; is it still running?'}));
  if (!r.ok) throw new Error(body.error || r.statusText);
  return body;
}

function clock(s) {
  const m = Math.floor(s / 60);
  return `${m}:${(s - 60 * m).toFixed(1).padStart(4, '0')}`;
}

// --- videos -----------------------------------------------------------------
async function listVideos(choose) {
  const {videos} = await fetchJson('videos');
  $('videos').replaceChildren(new Option(videos.length ? 'choose a video' : 'no video yet', ''));
  for (const v of videos) $('videos').add(new Option(v.name, v.id));
  if (choose) { $('videos').value = choose; await openVideo(choose); }
}

const HINT = 'Draw a box around a thing, or add pictures of one. Then ask.';

async function openVideo(id) {
  if (!id) return;
  say('opening ...');
  try { state.video = await fetchJson(`video/${id}/info`); }
  catch (e) { say(e.message, true); return; }
  Object.assign(state, {box: null, answer: null, still: false, at: 0, running: false});
  $('work').hidden = false;
  $('still').hidden = true;
  $('film').hidden = false;
  $('film').src = api(`video/${id}/file`);
  $('when').max = state.video.duration;
  seek(0);
  say(state.video.note || HINT);
  draw();
  buttons();
}

function upload(file) {
  const x = new XMLHttpRequest();
  x.open('POST', api(`upload?name=${encodeURIComponent(file.name)}`));
  x.upload.onprogress = e => { if (e.lengthComputable) progress(e.loaded, e.total, 'copying the video'); };
  x.onload = async () => {
    progress();
    let body = {};
    try { body = JSON.parse(x.responseText); } catch (e) { /* said below */ }
    if (x.status === 200) await listVideos(body.id);
    else say(body.error || 'the video could not be copied', true);
  };
  x.onerror = () => { progress(); say('the video could not be copied: too large, or the app has stopped', true); };
  x.send(file);
}

function progress(done, total, what) {
  $('bar').hidden = done === undefined;
  if (done === undefined) return;
  if (!total) { $('bar').removeAttribute('value'); say(`${what} ...`); return; } // nobody knows how long
  $('bar').max = total;
  $('bar').value = done;
  say(`${what} (${Math.round(100 * done / total)} %)`);
}

// --- the picture and its box -------------------------------------------------
function now() { return state.still ? state.at : $('film').currentTime; }

function frameAt(t) { // one picture at a time: the next is asked for when the last has come
  const img = $('still');
  if (img.waiting) { img.next = t; return; }
  img.waiting = true;
  img.src = api(`video/${state.video.id}/frame?t=${t.toFixed(3)}`);
}

function frameShown() {
  const img = $('still'), t = img.next;
  img.waiting = false; img.next = undefined;
  draw();
  if (t !== undefined) frameAt(t);
}

function byFrames() { // this browser cannot play the video, or not as it is meant: show pictures of it
  if (!state.video || state.still) return;
  $('film').pause();
  Object.assign(state, {still: true, running: false});
  $('film').hidden = true; $('still').hidden = false;
  Object.assign($('still'), {waiting: false, next: undefined});
  say(`This browser cannot play this kind of video, so it is shown picture by picture. ${HINT}`);
  seek(state.at);
}

function checkFilm() { // a phone's HEVC beside sound plays as sound alone in some browsers
  const film = $('film'), v = state.video;
  if (!v || state.still) return;
  const fits = film.videoWidth && Math.abs(film.videoWidth / film.videoHeight * v.height / v.width - 1) < .02;
  if (!fits) byFrames();
}

function seek(t) {
  t = Math.max(0, Math.min(t, Math.max(0, state.video.duration - .01)));
  state.at = t;
  if (state.still) frameAt(t);
  else $('film').currentTime = t;
  $('when').value = t;
  $('clock').textContent = `${clock(t)} of ${clock(state.video.duration)}`;
  draw();
}

function place() { // where the picture lies inside the canvas, in css pixels
  const c = $('canvas').getBoundingClientRect(), v = state.video;
  const k = Math.min(c.width / v.width, c.height / v.height);
  return {k, x: (c.width - k * v.width) / 2, y: (c.height - k * v.height) / 2, w: c.width, h: c.height};
}

function boxAt(t) { // box of the shown answer at a moment, interpolated
  const all = [...(state.answer?.sightings || []), ...(state.answer?.guess ? [state.answer.guess] : [])];
  for (const s of all) {
    if (t < s.seconds[0] - .001 || t >= s.seconds[1]) continue;
    const b = s.boxes, i = b.findLastIndex(o => o.second <= t + .001), a = b[Math.max(0, i)], z = b[i + 1] || a;
    const f = z === a ? 0 : (t - a.second) / (z.second - a.second);
    const m = k => a[k] + (z[k] - a[k]) * f;
    return {x: m('x1'), y: m('y1'), w: m('x2') - m('x1'), h: m('y2') - m('y1'), sure: s.sure};
  }
}

function draw() {
  if (!state.video) return;
  const c = $('canvas'), p = place(), r = devicePixelRatio || 1;
  c.width = p.w * r; c.height = p.h * r;
  const g = c.getContext('2d');
  g.scale(r, r);
  const css = getComputedStyle(document.body), found = boxAt(now());
  const rect = (b, color, dash, label) => {
    g.lineWidth = 3; g.strokeStyle = css.getPropertyValue(color); g.setLineDash(dash);
    g.strokeRect(p.x + b.x * p.k, p.y + b.y * p.k, b.w * p.k, b.h * p.k);
    const x = p.x + b.x * p.k, y = Math.max(18, p.y + b.y * p.k);
    g.font = '14px system-ui'; g.fillStyle = g.strokeStyle;
    g.fillRect(x - 1.5, y - 19, g.measureText(label).width + 8, 19);
    g.fillStyle = '#fff'; g.fillText(label, x + 3, y - 5);
  };
  if (found) rect(found, '--seen', found.sure ? [] : [8, 6], found.sure ? 'seen' : 'guess');
  if (state.box) rect(state.box, '--ask', [], 'this?');
}

function setBox(x, y, w, h) {
  const v = state.video;
  if (w < 0) { x += w; w = -w; }
  if (h < 0) { y += h; h = -h; }
  x = Math.max(0, Math.min(x, v.width - 2)); y = Math.max(0, Math.min(y, v.height - 2));
  state.box = {x, y, w: Math.max(2, Math.min(w, v.width - x)), h: Math.max(2, Math.min(h, v.height - y))};
  if ($('status').textContent.endsWith(HINT)) say(''); // it has been followed
  draw(); buttons();
}

let start = null;
function point(e) {
  const c = $('canvas').getBoundingClientRect(), p = place();
  return {x: (e.clientX - c.left - p.x) / p.k, y: (e.clientY - c.top - p.y) / p.k};
}
function drawing() {
  const c = $('canvas');
  c.onpointerdown = e => { pause(); start = point(e); c.setPointerCapture(e.pointerId); };
  c.onpointermove = e => { if (start) { const q = point(e); setBox(start.x, start.y, q.x - start.x, q.y - start.y); } };
  c.onpointerup = e => {
    const q = point(e);
    if (start && Math.hypot(q.x - start.x, q.y - start.y) * place().k < 6) { state.box = null; play(); draw(); buttons(); }
    start = null;
  };
  c.onpointercancel = () => { start = null; };
  c.onkeydown = e => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key], v = state.video;
    if (!step || e.altKey || e.ctrlKey || e.metaKey) return;
    e.preventDefault(); e.stopPropagation();
    const d = Math.max(2, v.width / 60);
    const b = state.box || {x: v.width * .35, y: v.height * .35, w: v.width * .3, h: v.height * .3};
    if (!state.box) setBox(b.x, b.y, b.w, b.h);
    else if (e.shiftKey) setBox(b.x, b.y, Math.max(4, b.w + step[0] * d), Math.max(4, b.h + step[1] * d));
    else setBox(b.x + step[0] * d, b.y + step[1] * d, b.w, b.h);
  };
}

function runFrames() { // play what is shown picture by picture
  if (!state.still || !state.running) return;
  if (state.at >= state.video.duration - .2) { play(); return; }
  if (!$('still').waiting) seek(state.at + .2);
  setTimeout(runFrames, 200);
}

function play() {
  if (state.still) {
    state.running = !state.running;
    $('play').textContent = state.running ? 'Pause' : 'Play';
    if (state.running && state.at >= state.video.duration - .2) seek(0);
    runFrames();
    return;
  }
  if ($('film').paused) $('film').play().catch(() => {}); else $('film').pause();
}

function pause() { if (state.still) { if (state.running) play(); } else $('film').pause(); }

// --- pictures ----------------------------------------------------------------
function addPictures(files) {
  const good = files.filter(f => f.type.startsWith('image/')), bad = files.find(f => !good.includes(f));
  if (bad) say(`${bad.name}: not a picture; give jpg, png or webp files`, true);
  else if (state.pictures.length + good.length > MOST) say(`at most ${MOST} pictures of one thing`, true);
  state.pictures.push(...good.slice(0, MOST - state.pictures.length));
  showPictures();
}

function showPictures() {
  $('chips').replaceChildren(...state.pictures.map((f, i) => {
    const fig = document.createElement('figure'), img = new Image(), b = document.createElement('button');
    img.src = URL.createObjectURL(f); img.alt = f.name;
    b.textContent = 'x'; b.setAttribute('aria-label', `remove ${f.name}`);
    b.onclick = () => { state.pictures.splice(i, 1); showPictures(); };
    fig.append(img, b);
    return fig;
  }));
  buttons();
}

function buttons() {
  $('ask').disabled = !state.video || !(state.box || state.pictures.length);
  const before = state.box && !$('all').checked;
  $('ask').textContent = before ? 'Where was it before?' : 'Where did I last see this?';
  $('whole').hidden = !state.box;
  $('clear').disabled = !state.box && !state.pictures.length;
}

// --- asking ------------------------------------------------------------------
async function ask() {
  if ($('ask').disabled) return;
  const form = new FormData();
  if (state.box) {
    const b = state.box;
    form.append('at', now());
    form.append('box', [b.x, b.y, b.w, b.h].join(','));
    if ($('all').checked) form.append('whole', '1');
  }
  if ($('refine').checked) form.append('refine', '1');
  for (const f of state.pictures) form.append('pictures', f);
  pause();
  const video = state.video; // another may be open when the answer comes
  try {
    const {job} = await fetchJson(`video/${video.id}/ask`, {method: 'POST', body: form});
    await follow(job, video);
  } catch (e) { progress(); say(e.message, true); }
}

async function follow(job, video) {
  for (;;) {
    const j = await fetchJson(`job/${job}`);
    if (j.state === 'done') { progress(); answered(job, j.answer, video); return; }
    if (j.state === 'failed') throw new Error(j.error);
    progress(j.done, j.total, j.state);
    await new Promise(go => setTimeout(go, 250));
  }
}

function jump(s) { state.still ? seek(s.seconds[0]) : (seek(s.seconds[0] + .001), $('film').pause()); draw(); }

function sightingsOf(a) { return [...a.sightings, ...(a.guess ? [a.guess] : [])]; }

function answered(job, a, video) {
  say(a.words);
  const card = $('card').content.cloneNode(true).firstElementChild, line = card.querySelector('.line');
  card.querySelector('img').src = a.picture;
  card.querySelector('strong').textContent = `${a.words} (${video.name})`;
  const top = Math.max(...a.scores, 1e-6), d = video.duration;
  const curve = a.scores.map((s, i) => `${(i + .5) / 5 / d * 100},${98 - 94 * s / top}`);
  card.querySelector('polyline').setAttribute('points', curve.join(' '));
  const list = card.querySelector('.list');
  for (const s of sightingsOf(a)) {
    const go = async () => {
      if (state.video.id !== video.id) { $('videos').value = video.id; await openVideo(video.id); }
      state.answer = a;
      jump(s);
      $('canvas').scrollIntoView({block: 'nearest'});
    };
    const mark = document.createElement('button'), word = document.createElement('button');
    const text = `${s.sure ? '' : 'guess: '}${clock(s.seconds[0])} to ${clock(s.seconds[1])}`;
    word.title = `score ${s.score.toFixed(2)}`;
    mark.style.left = `${100 * s.seconds[0] / d}%`; mark.style.width = `${100 * (s.seconds[1] - s.seconds[0]) / d}%`;
    mark.className = s.sure ? '' : 'guess'; mark.title = text; mark.setAttribute('aria-label', `jump to ${text}`);
    mark.tabIndex = -1; word.textContent = text; mark.onclick = word.onclick = go;
    line.append(mark); list.append(word);
  }
  card.querySelector('.save').onclick = () => save(job, card);
  for (const kind of document.body.dataset.kinds.split(' ')) card.querySelector('select').add(new Option(kind, kind));
  card.querySelector('select').onchange = e => {
    if (e.target.value) location.assign(api(`job/${job}/export/${e.target.value}`));
    e.target.value = '';
  };
  $('answers').prepend(card);
  $('results').hidden = false;
  if (state.video.id === video.id) {
    Object.assign(state, {answer: a, box: null});
    const last = sightingsOf(a).at(-1);
    if (last) jump(last);
  }
  draw();
  buttons();
}

async function save(job, card) {
  const where = card.querySelector('.where');
  where.textContent = 'saving ...';
  try {
    const s = await fetchJson(`job/${job}/save`, {method: 'POST'});
    where.textContent = `saved in ${s.folder} `;
    for (const name of s.files) {
      const l = document.createElement('a');
      l.href = api(`job/${job}/file/${name}`); l.textContent = name; l.download = name;
      where.append(l, ' ');
    }
  } catch (e) { where.textContent = e.message; }
}

// --- wiring ------------------------------------------------------------------
function take(files) { // wherever it falls: pictures are of the thing, anything else should be a video
  const pictures = files.filter(f => f.type.startsWith('image/')), others = files.filter(f => !pictures.includes(f));
  if (others.length) upload(others[0]);
  if (pictures.length) addPictures(pictures);
  if (pictures.length && !state.video) say('Now choose the video to search.');
}

function dropping() { // a file beside the frames must not replace the page
  const zones = document.querySelectorAll('.drop, .stage');
  const light = e => zones.forEach(z => z.classList.toggle('over', Boolean(e) && z.contains(e.target)));
  addEventListener('dragover', e => { e.preventDefault(); light(e); });
  addEventListener('dragleave', () => light());
  addEventListener('drop', e => { e.preventDefault(); light(); take([...e.dataTransfer.files]); });
}

function keys(e) {
  if (!state.video || /^(INPUT|SELECT|BUTTON|A)$/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
  const seen = state.answer ? sightingsOf(state.answer) : [], t = now();
  const act = {
    ' ': play, ',': () => seek(t - .2), '.': () => seek(t + .2), '<': () => seek(t - 2), '>': () => seek(t + 2),
    Enter: ask, Escape: () => { state.box = null; draw(); buttons(); },
    n: () => { const s = seen.find(o => o.seconds[0] > t + .01) || seen[0]; if (s) jump(s); },
    p: () => { const s = seen.findLast(o => o.seconds[0] < t - .01) || seen.at(-1); if (s) jump(s); },
  }[e.key];
  if (act) { e.preventDefault(); act(); }
}

function wire() {
  $('videos').onchange = e => openVideo(e.target.value);
  $('file').onchange = e => { if (e.target.files[0]) upload(e.target.files[0]); e.target.value = ''; };
  $('more').onchange = e => { addPictures([...e.target.files]); e.target.value = ''; };
  dropping();
  $('all').onchange = buttons;
  $('still').onload = $('still').onerror = frameShown;
  $('when').oninput = e => seek(+e.target.value);
  $('back').onclick = () => seek(now() - .2);
  $('next').onclick = () => seek(now() + .2);
  $('play').onclick = play;
  $('ask').onclick = ask;
  $('clear').onclick = () => { state.box = null; state.pictures = []; showPictures(); draw(); };
  const film = $('film');
  film.ontimeupdate = film.onseeked = () => {
    if (!state.video || state.still) return;
    $('when').value = film.currentTime;
    $('clock').textContent = `${clock(film.currentTime)} of ${clock(state.video.duration)}`;
    draw();
  };
  film.onplay = () => { $('play').textContent = 'Pause'; const f = () => { draw(); if (!film.paused) requestAnimationFrame(f); }; f(); };
  film.onpause = () => { $('play').textContent = 'Play'; };
  film.onerror = byFrames;
  film.onloadedmetadata = checkFilm;
  drawing();
  addEventListener('keydown', keys);
  addEventListener('resize', draw);
  listVideos().catch(e => say(e.message, true));
}
wire();
