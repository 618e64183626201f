import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/files.ts';
import { BRUNO } from '../../../scripts/clients/bruno.ts';
import { CLIENTS, type Client } from '../../../scripts/clients/clients.ts';
import { described, examine, type ClientVerdict } from '../../../scripts/clients/examine.ts';
import { checkClients, proveSeeds, type ClientRun } from '../../../scripts/clients/run.ts';
import { SEEDS } from '../../../scripts/clients/seeds.ts';

const SEEDED = [...CLIENTS, BRUNO].map(({ name }) => name);
const DOCUMENT = new URL('../../../schemas/generated/openapi.json', import.meta.url);
const SITE = {
  stories: '/none', document: '/none',
  tools: { npm: '', python: '', oapiCodegen: '', openapiGenerator: '', javaLibraries: '' },
};

describe('faults put into the document', () => {
  it.each(SEEDS.map((seed) => [seed.what, seed] as const))('change it: %s', (_what, { client, spoil }) => {
    const text = readFileSync(DOCUMENT, 'utf8');
    const document = JSON.parse(text) as JsonObject;
    spoil(document);
    expect(JSON.stringify(document)).not.toBe(JSON.stringify(JSON.parse(text)));
    expect(SEEDED).toContain(client);
  });

  it('are there for every client', () => {
    expect(new Set(SEEDS.map(({ client }) => client))).toEqual(new Set(SEEDED));
  });
});

describe('a client', () => {
  let dir: string;
  beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-clients-')); });
  afterEach(() => { rmSync(dir, { recursive: true, force: true }); });

  const taken: string[] = [];
  const client = (failing: string): Client => {
    const take = (step: string): Promise<string> => {
      taken.push(step);
      return step === failing ? Promise.reject(new Error('line one\nline two')) : Promise.resolve('done\n');
    };
    return {
      name: 'small', generator: 'small 1.0', generate: () => take('generate'), compile: () => take('compile'),
      use: () => take('story'),
    };
  };

  it('passes when it is generated, compiled and runs the story', async () => {
    const verdict = await examine(client('none'), dir, SITE, {});
    expect(verdict).toMatchObject({ passed: true, said: 'done' });
    expect(described(client('none'), verdict)).toMatch(/^ok {3}small 1\.0: generated, compiled, done \(/);
  });

  it.each(['generate', 'compile', 'story'])('that fails at %s takes no further step', async (failing) => {
    taken.splice(0);
    const verdict = await examine(client(failing), dir, SITE, {});
    expect(verdict).toMatchObject({ passed: false, step: failing });
    expect(taken.at(-1)).toBe(failing);
    expect(described(client(failing), verdict)).toMatch(/FAIL small 1\.0: at .*\n {5}line one\n {5}line two$/);
  });
});

describe('a run', () => {
  let dir: string;
  beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-clients-')); });
  afterEach(() => { rmSync(dir, { recursive: true, force: true }); });

  const [client, other] = CLIENTS as readonly [Client, Client];
  const failed = { passed: false, step: 'compile', said: 'wrong', seconds: 1 } as const;
  const passed = { passed: true, said: 'done', seconds: 1 } as const;

  function running(verdicts: readonly ClientVerdict[]): { run: ClientRun; lines: string[] } {
    const lines: string[] = [];
    const left = [...verdicts];
    return {
      lines,
      run: {
        document: DOCUMENT.pathname, workDir: dir, signal: new AbortController().signal,
        print: (line) => { lines.push(line); },
        examine: () => Promise.resolve(left.shift() ?? failed),
      },
    };
  }

  it('ends with 0 when every client passed, and with 1 when one failed or there was none', async () => {
    const good = running([passed, passed]);
    expect(await checkClients([client, other], good.run)).toBe(0);
    expect(good.lines.at(-1)).toBe('2 passed, 0 failed');
    const bad = running([passed, failed]);
    expect(await checkClients([client, other], bad.run)).toBe(1);
    expect(bad.lines.at(-1)).toBe('1 passed, 1 failed');
    expect(await checkClients([], running([]).run)).toBe(1);
  });

  it('proves a seed only when its client fails at its step', async () => {
    const seeds = SEEDS.filter(({ step }) => step === 'compile').slice(0, 1);
    expect(await proveSeeds(seeds, running([failed]).run)).toBe(0);
    expect(await proveSeeds(seeds, running([{ ...failed, step: 'generate' }]).run)).toBe(1);
    expect(await proveSeeds(seeds, running([passed]).run)).toBe(1);
    expect(await proveSeeds([], running([]).run)).toBe(1);
  });
});
