import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/files.ts';
import { CLIENTS, type Client } from '../../../scripts/clients/clients.ts';
import { described, examine } from '../../../scripts/clients/examine.ts';
import { SEEDS } from '../../../scripts/clients/seeds.ts';

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
    expect(CLIENTS.map(({ name }) => name)).toContain(client);
  });

  it('are there for every client', () => {
    expect(new Set(SEEDS.map(({ client }) => client)).size).toBe(CLIENTS.length);
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
