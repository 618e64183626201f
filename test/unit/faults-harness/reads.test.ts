import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import { readLag, totalLag } from '../../faults/run/lag.ts';
import { readsOf } from '../../faults/run/reads.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const WRITERS = ['table-writer-1', 'table-writer-2'] as const;
const WRITER = 'rastro.table-writer';
const dir = mkdtempSync(join(tmpdir(), 'rastro-reads-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A release whose workers read these topics. */
function release(name: string, topics: readonly string[]): string {
  const at = join(dir, name, 'services', 'workers');
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'assemble-config.ts'), `
    export function consumerConfigOf(_config: object, worker: string) {
      return worker === 'table-writer'
        ? { group: 'rastro.table-writer', topics: ${JSON.stringify(topics)} } : undefined;
    }
  `);
  return join(dir, name);
}

const runs = (name: ProcessName, productDir: string) => (
  { name, release: () => ({ productDir, env: {} }) }
);

describe('what the groups of a cluster must have read', () => {
  it('is all that the workers of this tree name, and nothing of gateways', async () => {
    const reads = await readsOf([runs('gateway-1', '/nowhere'), runs('workers-1', ROOT_DIR)]);
    expect(reads.get(WRITER)).toContain(TOPICS.providerCommands.name);
    expect(reads.get('rastro.projector.personal')).toEqual([TOPICS.personalKeys.name]);
    expect([...reads.keys()]).toHaveLength(8);
  });

  it('is what the earlier release names once it alone runs, and both while both do', async () => {
    const [first, second] = WRITERS;
    const old = release('old', ['a', 'b']);
    const fresh = release('fresh', ['b', 'c']);
    const after = await readsOf([runs(first, old), runs(second, old)]);
    const beside = await readsOf([runs(first, old), runs(second, fresh)]);
    expect(after.get(WRITER)).toEqual(['a', 'b']);
    expect(beside.get(WRITER)).toEqual(['a', 'b', 'c']);
  });

  it('is an error when a release does not name it, so that no lag is taken for none', async () => {
    await expect(readsOf([runs('parties', release('mute', ['a']))])).rejects
      .toThrow('does not name what parties.commands reads');
    await expect(readsOf([runs(WRITERS[0], release('empty', []))])).rejects
      .toThrow('does not name what table-writer reads');
  });
});

describe('the lag of a cluster', () => {
  const admin = {
    ranges: (topics: readonly string[]) => Promise.resolve(topics.map((topic) => (
      { topic, partition: 0, start: 2n, end: 10n }
    ))),
    committed: () => Promise.resolve(new Map([['a:0', 10n], ['b:0', 7n]])),
  };

  it('counts what a running release reads and nothing else', async () => {
    const lag = (topics: readonly string[]) => readLag({ admin }, new Map([[WRITER, topics]]));
    expect(await lag(['a'])).toEqual({ [WRITER]: 0 });
    expect(await lag(['a', 'b'])).toEqual({ [WRITER]: 3 });
    expect(totalLag(await lag(['a', 'b', 'never-committed']))).toBe(11);
  });
});
