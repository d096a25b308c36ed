"Everything about the package is in settings.ini; this file hands it to setuptools."
import configparser, shlex, sys
from pathlib import Path
from setuptools import find_packages, setup

root = Path(__file__).resolve().parent
needed = 'lib_name version description author author_email git_url min_python requirements dev_requirements test_requirements scale_requirements console_scripts'.split()
try:
    ini = configparser.ConfigParser(delimiters=['='])
    with open(root/'settings.ini', encoding='utf-8') as f: ini.read_file(f, 'settings.ini')
    cfg = dict(ini['DEFAULT'])
    lists = {k: shlex.split(cfg[k]) for k in ('requirements', 'dev_requirements', 'test_requirements', 'scale_requirements', 'console_scripts', 'keywords')}
    missing = [k for k in needed if k not in cfg]
except (OSError, KeyError, ValueError, configparser.Error) as e: sys.exit('settings.ini: ' + ' '.join(str(e).split()))
if missing: sys.exit('settings.ini: no value for ' + ', '.join(missing))

setup(
    name=cfg['lib_name'], version=cfg['version'], description=cfg['description'],
    long_description=(root/'README.md').read_text(encoding='utf-8'), long_description_content_type='text/markdown',
    author=cfg['author'], author_email=cfg['author_email'], url=cfg['git_url'], license='Apache-2.0', keywords=lists['keywords'],
    project_urls={'Documentation': cfg['doc_host'] + cfg['doc_baseurl']},
    packages=find_packages(include=['herovql', 'herovql.*']), package_data={'herovql': ['weights/*', 'weights/*/*', 'static/*']}, include_package_data=True, zip_safe=False,
    python_requires='>=' + cfg['min_python'], install_requires=lists['requirements'], extras_require={'dev': lists['dev_requirements'], 'test': lists['test_requirements'], 'scale': lists['scale_requirements']},
    entry_points={'console_scripts': lists['console_scripts'], 'nbdev': [f"{cfg['lib_path']}={cfg['lib_path']}._modidx:d"]},
)
