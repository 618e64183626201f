import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/files.ts';
import { BRUNO } from '../../../scripts/clients/bruno.ts';
import { brunoCollection } from '../../../scripts/generate-bruno/collection.ts';
import { operationsOf } from '../../../scripts/generate-bruno/document.ts';
import { strayFiles } from '../../../scripts/generate-bruno/files.ts';
import { readBru, type Bru } from './read-bru.ts';

const COLLECTION = new URL('../../../services/clients/bruno/', import.meta.url).pathname;
const DOCUMENT = new URL('../../../schemas/generated/openapi.json', import.meta.url).pathname;
const document = (): JsonObject => JSON.parse(readFileSync(DOCUMENT, 'utf8')) as JsonObject;
const operations = operationsOf(document());

interface Folder {
  readonly name: string;
  readonly seq: number;
  readonly requests: readonly Bru[];
}

/** The folders in the order of a run, each with its requests in theirs, as they are committed. */
function folders(): readonly Folder[] {
  const read = (...path: readonly string[]): Bru => readBru(readFileSync(join(COLLECTION, ...path), 'utf8'));
  return readdirSync(COLLECTION, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'environments')
    .map(({ name }) => ({
      name, seq: Number(read(name, 'folder.bru').pair('meta', 'seq')),
      requests: readdirSync(join(COLLECTION, name))
        .filter((file) => file !== 'folder.bru').map((file) => read(name, file))
        .toSorted((a, b) => seqOf(a) - seqOf(b)),
    }))
    .toSorted((a, b) => a.seq - b.seq);
}

const seqOf = (bru: Bru): number => Number(bru.pair('meta', 'seq'));

/** Method and path of a request, as the document writes them. */
function callOf(bru: Bru): string {
  const method = bru.has('get') ? 'get' : 'post';
  const path = bru.pair(method, 'url').replace(/^\{\{\w+\}\}/, '').replace(/\?.*$/, '')
    .replaceAll(/:(\w+)/g, '{$1}');
  return `${method} ${path}`;
}

describe('the collection as committed', () => {
  const all = folders();
  const requests = all.flatMap((folder) => folder.requests);

  it('has one request for each call of the document, by its id, method, path and tag', () => {
    const found = all.flatMap(({ name, requests: own }) => own.map((bru) => (
      `${bru.pair('meta', 'name')} ${callOf(bru)} in ${name}`
    )));
    const wanted = operations.map(({ id, method, path, tag }) => `${id} ${method} ${path} in ${tag}`);
    expect(wanted.filter((call) => !found.includes(call))).toEqual([]);
    expect(found.length).toBe(new Set(found).size);
  });

  it('has no request of another call', () => {
    const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    expect(requests.map(callOf).filter((call) => !known.has(call))).toEqual([]);
  });

  it('has each folder and each request in an order of its own', () => {
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    for (const { requests: own } of all) {
      expect(own.map(seqOf)).toEqual(own.map((_, index) => index + 1));
    }
  });

  it('wants the documented success of each call, and leaves out only streams', () => {
    for (const bru of requests) {
      const operation = operations.find(({ method, path }) => callOf(bru) === `${method} ${path}`);
      const isStream = operation?.success.type === 'text/event-stream';
      expect(bru.block('meta').includes('endless'), bru.pair('meta', 'name')).toBe(isStream);
      expect(bru.pair('assert', 'res.status'), bru.pair('meta', 'name'))
        .toBe(isStream ? '' : `eq ${String(operation?.success.status)}`);
    }
  });

  it('uses only variables that the environment, the collection or an earlier request gives', () => {
    const environment = readBru(readFileSync(join(COLLECTION, 'environments/local.bru'), 'utf8'));
    const collection = readBru(readFileSync(join(COLLECTION, 'collection.bru'), 'utf8'));
    const known = new Set([...environment.names('vars'), ...collection.names('vars:pre-request')]);
    for (const bru of requests) {
      const used = [...bru.text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');
      const token = bru.pair(bru.has('get') ? 'get' : 'post', 'auth') === 'inherit' ? ['token_rtt'] : [];
      expect([...used, ...token].filter((name) => !known.has(name)), bru.pair('meta', 'name')).toEqual([]);
      for (const name of bru.names('vars:post-response')) known.add(name);
    }
  });

  it('takes every value of its environment from variables, so that no file has a secret', () => {
    const environment = readBru(readFileSync(join(COLLECTION, 'environments/local.bru'), 'utf8'));
    for (const name of environment.names('vars')) {
      expect(environment.pair('vars', name)).toMatch(/^\{\{process\.env\.RASTRO_[A-Z_]+\}\}$/);
    }
  });
});

describe('a collection of another document', () => {
  it('follows a path that changes', () => {
    const changed = JSON.parse(JSON.stringify(document()).replaceAll('/rtt/limits', '/rtt/quotas')) as JsonObject;
    expect(brunoCollection(changed)['queries/show-limits.bru']).toContain('{{url}}/shipping/rtt/quotas?');
  });

  it('is none when the document has a call more, or one less', () => {
    const more = document() as { paths: JsonObject };
    more.paths['/new'] = { get: { ...(more.paths['/docs'] as { get: object }).get, operationId: 'show-new' } };
    expect(() => brunoCollection(more as unknown as JsonObject)).toThrow(/story\.ts lacks show-new/);
    const less = document() as { paths: JsonObject };
    delete less.paths['/shipping/rtt/limits'];
    expect(() => brunoCollection(less as unknown as JsonObject)).toThrow(/no show-limits in queries/);
  });
});

describe('a run of Bruno', () => {
  let dir: string;
  beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-bruno-')); });
  afterEach(() => { rmSync(dir, { recursive: true, force: true }); });

  const request = (status: string, asserted: string): unknown => ({
    path: 'tokens/issue-token', status, error: null, response: { status: 200, data: { code: 'why' } },
    assertionResults: [{ lhsExpr: 'res.status', rhsExpr: 'eq 200', status: asserted, error: 'it was 500' }],
  });

  /** Uses the collection by a Bruno that writes this report. */
  async function use(
    report: unknown,
  ): Promise<{ readonly said: string; readonly lines: readonly string[] }> {
    const bin = join(dir, 'node_modules', '@usebruno', 'cli', 'bin');
    mkdirSync(bin, { recursive: true });
    const program = `require('node:fs').writeFileSync('report.json', ${JSON.stringify(JSON.stringify(report))})`;
    writeFileSync(join(bin, 'bru.js'), program);
    writeFileSync(join(dir, 'a.bru'), '');
    writeFileSync(join(dir, 'b.bru'), '');
    const lines: string[] = [];
    const tools = { npm: dir, print: (line: string) => { lines.push(line); } };
    const said = await BRUNO.use({ dir, stories: '', document: '', tools }, {})
      .catch((error: unknown) => `thrown: ${(error as Error).message}`);
    return { said, lines };
  }

  it('counts what passed and what was left out', async () => {
    const { said, lines } = await use([{ results: [request('pass', 'pass')] }]);
    expect(said).toBe('1 requests run, 1 passed, 0 failed, 1 without an end left out');
    expect(lines).toEqual(['ok     tokens/issue-token 200']);
  });

  it.each([['an assertion', 'pass', 'fail'], ['the request', 'error', 'pass']])(
    'fails when %s failed, and says what was answered', async (_what, status, asserted) => {
      const { said, lines } = await use([{ results: [request(status, asserted), request('pass', 'pass')] }]);
      expect(said).toMatch(/^thrown: 2 requests run, 1 passed, 1 failed/);
      expect(lines[0]).toBe('FAIL   tokens/issue-token 200');
      expect(lines.join('\n')).toContain('{"code":"why"}');
    },
  );

  it('fails when no request ran', async () => {
    expect((await use([{ results: [] }])).said).toMatch(/^thrown: 0 requests run/);
  });
});

describe('a file that nothing generates any more', () => {
  it('is found', () => {
    const root = new URL('../../../', import.meta.url).pathname;
    const strays = strayFiles(root, { 'services/clients/bruno/collection.bru': '' });
    expect(strays).toContain('services/clients/bruno/tokens/issue-token.bru');
    expect(strays).not.toContain('services/clients/bruno/collection.bru');
    expect(strays).not.toContain('services/clients/bruno/README.md');
  });
});
