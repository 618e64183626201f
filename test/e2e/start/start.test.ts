import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../infra/local/wait.ts';
import { clearLeftovers, markedProcesses } from '../../../scripts/suite/leftovers.ts';
import { freeBlock } from '../../support/free-block.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const MARK = 'RASTRO_START_TEST';
const RUN_MS_MAX = 400_000;
const END_MS_MAX = 10_000;
/** `npm start` brings its own stack, whatever the test run uses. */
const FOREIGN = /^(KAFKA_BROKERS|REDIS_URL|CLICKHOUSE_|ANALYST_|SCHEMA_REGISTRY_URL|NODE_OPTIONS)/;

/** The report of the ledger, line by line; the last line is about all. */
const KINDS = [
  'locations', 'events', 'deferred events', 'deliveries', 'authorizations', 'notifications',
  'commands',
];

/** A run of `npm start` and what it wrote. */
interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
}

let dir: string;
let mark: string;
let port: number;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-start-'));
  mark = randomUUID();
  port = await freeBlock();
});
afterEach(async () => {
  const left = await clearLeftovers(`${MARK}=${mark}`, END_MS_MAX);
  rmSync(dir, { recursive: true, force: true });
  expect(left).toEqual([]);
});

function start(...options: readonly string[]): Run {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)),
  );
  const child = spawn('node', [
    join(ROOT_DIR, 'scripts', 'bootstrap.mjs'), 'scripts/start.ts',
    ...['--dir', dir, '--port', String(port), ...options],
  ], { cwd: ROOT_DIR, env: { ...env, [MARK]: mark }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => { output += chunk.toString(); });
  }
  const ended = new Promise<number | null>((done) => { child.once('exit', done); });
  return { child, ended, output: () => output };
}

/** Waits for the banner; fails with what was written when the run ends before. */
async function untilReady(run: Run): Promise<void> {
  await waitFor(() => run.output().includes('Rastro is ready'), {
    what: 'The banner', deadlineMs: RUN_MS_MAX,
    hopeless: () => (run.child.exitCode === null ? undefined : run.output()),
  });
}

/** The variables that the README's first location by hand uses. */
function variablesOfReadme(): readonly string[] {
  const section = readFileSync(join(ROOT_DIR, 'README.md'), 'utf8')
    .split('## The first location by hand')[1]?.split('\n## ')[0] ?? '';
  const own = new Set(['TOKEN', 'DEVICE', 'NOW']);
  return [...new Set([...section.matchAll(/\$([A-Z][A-Z_]+)/g)].map(([, name = '']) => name))]
    .filter((name) => !own.has(name));
}

describe('npm start', () => {
  it('[GEN-05] [GEN-31] replays, compares item by item, and leaves nothing behind', async () => {
    const run = start('--for', '10s', '--devices', '20');
    expect([await run.ended, /lost=0 doubled=0 freshness/.test(run.output()) ? '' : run.output()])
      .toEqual([0, '']);
    const lines = run.output().trim().split('\n').slice(-KINDS.length - 1);
    expect(lines.map((line) => line.split('sent=')[0]?.trim())).toEqual([...KINDS, '']);
    for (const [at, line] of lines.entries()) {
      expect(`${String(at)} ${line}`).toMatch(/sent=[1-9]\d* accepted=[1-9]\d* stored=[1-9]/);
    }
    expect(lines.at(-1)).toMatch(/lost=0 doubled=0 freshness_p99_ms=\d+$/);
    expect(markedProcesses(`${MARK}=${mark}`)).toEqual([]);
  }, RUN_MS_MAX);

  it('runs once on a directory, prints how to call it, and ends by Ctrl-C within ten seconds', async () => {
    const run = start('--no-replay');
    await untilReady(run);
    const env = readFileSync(join(dir, 'env'), 'utf8');
    const written = [...env.matchAll(/^([A-Z_]+)='?(.*?)'?$/gm)].map(([, name = '']) => name);
    expect(variablesOfReadme().length).toBeGreaterThan(5);
    expect(written).toEqual(expect.arrayContaining([...variablesOfReadme()]));

    const second = start('--no-replay');
    expect(await second.ended).toBe(1);
    expect(second.output().trim().split('\n').at(-1)).toMatch(/already runs on .*: end that one/);
    expect((await fetch(`http://127.0.0.1:${port + 1}/readyz`)).status).toBe(200);

    const interruptedAt = performance.now();
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    expect(performance.now() - interruptedAt).toBeLessThan(END_MS_MAX);
    expect(markedProcesses(`${MARK}=${mark}`)).toEqual([]);
  }, RUN_MS_MAX);
});
