import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync }
  from 'node:fs';
import { join } from 'node:path';
import type { BenchSubject } from '../subject.ts';
import { startPeer } from './start-peer.ts';

const CONF = join(import.meta.dirname, 'nginx', 'nginx.conf');
// The module for Lua was linked with OpenResty's LuaJIT, and does not load with the other one.
const PACKAGES = [
  'nginx', 'libnginx-mod-http-lua', 'libnginx-mod-http-ndk', 'libluajit2-5.1-2', 'libpcre3',
  'lua-resty-core', 'lua-resty-lrucache',
];

/** nginx that reads the body and answers 202: what the best C server takes for less than we do. */
export function startNginx(port: number, cacheDir: string): Promise<BenchSubject> {
  const root = installNginx(cacheDir);
  const dir = join(cacheDir, 'nginx-run');
  mkdirSync(dir, { recursive: true });
  const conf = join(dir, 'nginx.conf');
  writeFileSync(conf, readFileSync(CONF, 'utf8')
    .replaceAll('@ROOT@', root).replaceAll('@DIR@', dir).replaceAll('@PORT@', String(port)));
  return startPeer({
    name: 'nginx', port, path: '/locations',
    command: join(root, 'usr', 'sbin', 'nginx'), args: ['-c', conf, '-e', join(dir, 'error.log')],
    env: {
      LD_LIBRARY_PATH: ['usr/lib', 'lib'].map((lib) => join(root, lib, 'x86_64-linux-gnu')).join(':'),
    },
  });
}

/** Unpacks Debian's packages into the cache; nothing is installed into the system. */
function installNginx(cacheDir: string): string {
  const root = join(cacheDir, 'nginx-luajit2');
  if (existsSync(root)) return root;
  const half = `${root}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', ['download', '-qq', ...PACKAGES], {
    cwd: half, stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const file of readdirSync(half).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['--extract', file, '.'], { cwd: half });
  }
  renameSync(half, root);
  return root;
}
