import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearLeftovers, markedProcesses } from '../../../scripts/suite/leftovers.ts';
import { freeBlock } from '../../support/free-block.ts';
import { npmStart, START_MS_MAX as RUN_MS_MAX, untilReady, type StartRun } from '../../support/npm-start.ts';

const TUTORIALS = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'tutorials');
const MARK = 'RASTRO_START_TEST';
const END_MS_MAX = 10_000;
const DOCUMENTATION_MS_MAX = 120_000;
/** The report of the ledger, line by line; the last line is about all. */
const KINDS = [
  'locations', 'events', 'deferred events', 'deliveries', 'authorizations', 'notifications',
  'commands',
];

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

const start = (...options: readonly string[]): StartRun =>
  npmStart({ dir, port, mark: { [MARK]: mark } }, options);

/** The variables of the environment that a tutorial uses. */
function variablesOfTutorials(): readonly string[] {
  const texts = readdirSync(TUTORIALS).map((name) => readFileSync(join(TUTORIALS, name), 'utf8'));
  return [...new Set(texts.join('\n').match(/\$(?:RASTRO|ANALYST|CLICKHOUSE)_[A-Z_]+/g))]
    .map((name) => name.slice(1));
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
    expect(variablesOfTutorials().length).toBeGreaterThan(5);
    expect(written).toEqual(expect.arrayContaining([...variablesOfTutorials()]));

    // Made beside everything else, and served by the gateways that run already.
    await vi.waitFor(async () => {
      expect(await (await fetch(`http://127.0.0.1:${port}/docs`)).text()).toContain('id="search"');
    }, { timeout: DOCUMENTATION_MS_MAX, interval: 500 });
    expect(run.output()).toContain(`documentation: http://127.0.0.1:${port}/docs`);

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
