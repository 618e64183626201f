import { describe, expect, it } from 'vitest';
import { seedMap, type SeedPorts } from '../../../services/gateways/live/seed-map.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { lastFix } from '../../support/live-feeds.ts';

const away = () => Promise.reject(new Unavailable('state_unavailable', 'admit', 'away'));

/** A store with two clients, one in the last shard, that has two pages of the first. */
function store(
  answers: readonly (() => Promise<boolean>)[],
): SeedPorts & { readonly pauses: number[] } {
  const pauses: number[] = [];
  const left = [...answers];
  return {
    pauses, signals: silentSignals,
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    access: { findClient: () => Promise.resolve(undefined) },
    directory: {
      clientsOf: (shard, after) => Promise.resolve(
        after === undefined && (shard === 0 || shard === 63) ? [`client-${shard}`] : [],
      ),
    },
    lastFixes: {
      isComplete: () => left.shift()?.() ?? Promise.resolve(true),
      findWithin: (clientId, _box, after) => Promise.resolve({
        fixes: [lastFix(`${clientId}-${after === undefined ? 1 : 2}`, 0, 1)],
        next: clientId === 'client-0' && after === undefined
          ? { score: 1, device_id: 'client-0-1' } : undefined,
      }),
    },
  };
}

describe('the map that a live gateway begins with', () => {
  it('has the devices of all clients, page by page', async () => {
    const fixes = await seedMap(store([]), new AbortController().signal);
    expect(fixes.map(({ device_id }) => device_id))
      .toEqual(['client-0-1', 'client-0-2', 'client-63-1']);
  });

  it('waits while the store is away or being rebuilt', async () => {
    const ports = store([away, () => Promise.resolve(false)]);
    expect(await seedMap(ports, new AbortController().signal)).toHaveLength(3);
    expect(ports.pauses).toHaveLength(2);
  });

  it('is not waited for once the process ends', async () => {
    const left = new AbortController();
    left.abort();
    expect(await seedMap(store([away]), left.signal)).toEqual([]);
  });
});
