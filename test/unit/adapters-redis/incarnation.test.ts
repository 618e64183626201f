import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createIncarnation } from '../../../services/adapters/redis/incarnation.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

interface Node { readonly info: () => Promise<string> }

/** A node as one process with one history of its data. */
function node(process: string, history: string): Node {
  return { info: async () => `run_id:${process}\r\nmaster_replid:${history}\r\n` };
}

/** A cluster whose primaries and marks a test changes at will. */
function aCluster(primaries: readonly Node[]) {
  const cluster = Object.assign(new EventEmitter(), {
    primaries,
    mark: null as string | null,
    nodes: () => cluster.primaries,
    get: async () => cluster.mark,
  });
  return cluster;
}

describe('the trust in the servers of a cluster', () => {
  const [first, second, promoted] = [node('a', '1'), node('b', '2'), node('c', '3')];
  const ports = { clock: { nowMs: () => Date.now() }, signals: silentSignals };

  async function marked(primaries: readonly Node[]) {
    const cluster = aCluster(primaries);
    const incarnation = createIncarnation(cluster as never, ports);
    await incarnation.begin();
    cluster.mark = incarnation.begun() ?? null;
    await incarnation.require('admit');
    expect(incarnation.isTrusted()).toBe(true);
    return { cluster, incarnation };
  }

  it('ends when a replica becomes a primary, although no connection was interrupted', async () => {
    const { cluster, incarnation } = await marked([first, second]);
    cluster.primaries = [first, second, promoted];
    expect(incarnation.isTrusted()).toBe(false);
    await expect(incarnation.require('admit')).rejects.toMatchObject({ code: 'state_not_ready' });
  });

  it('is not given where the primaries changed while they were asked', async () => {
    const { cluster, incarnation } = await marked([first, second]);
    cluster.emit('-node');
    const asked = incarnation.require('admit');
    cluster.primaries = [first, promoted];
    await expect(asked).rejects.toMatchObject({ code: 'state_not_ready' });
    expect(incarnation.isTrusted()).toBe(false);
  });

  it('does not come back with a primary that was replaced and took over again', async () => {
    const { cluster, incarnation } = await marked([first, second]);
    cluster.primaries = [node('a', '4'), second];
    expect(incarnation.isTrusted()).toBe(false);
    await expect(incarnation.require('admit')).rejects.toMatchObject({ code: 'state_not_ready' });
    expect(await incarnation.isMarked(() => 'mark')).toBe(false);
  });

  it('stays where the same primaries have other slots', async () => {
    const { cluster, incarnation } = await marked([first, second]);
    cluster.primaries = [second, first];
    expect(incarnation.isTrusted()).toBe(true);
  });
});
