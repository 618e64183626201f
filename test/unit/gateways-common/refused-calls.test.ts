import { describe, expect, it } from 'vitest';
import { namesOfInterface } from '../../../services/adapters/schema/names-in.ts';
import {
  createRefusedCalls, type RefusedCallsConfig,
} from '../../../services/gateways/common/refused-calls.ts';
import type { KeptRefusals, RefusedCall } from '../../../services/kernel/refusals.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

const names = namesOfInterface();
const aCall = (change: Partial<RefusedCall> = {}): RefusedCall => ({
  clientId: 'c1', operation: 'send-locations', status: 400, code: 'validation_failed', atMs: 5,
  pointers: ['/locations/3/latitude'], ...change,
});

/** Refused calls over a store in memory; `gather` lets the time of gathering pass. */
function refusedCalls(limits: Partial<RefusedCallsConfig> = {}) {
  const kept: [client: string, refusals: readonly KeptRefusals[]][] = [];
  const counted: { outcome: string; calls: number }[] = [];
  const waiting: (() => void)[] = [];
  const store = { fails: false };
  const calls = createRefusedCalls({ gatherMs: 1, clientsMax: 3, kindsMax: 2, ...limits }, {
    store: {
      keep: async (client, refusals) => {
        if (store.fails) throw new Error('full');
        kept.push([client, refusals]);
      },
    },
    pause: () => new Promise((resolve) => { waiting.push(resolve); }),
    signals: { ...silentSignals, refusalsKept: (facts) => { counted.push(facts); } },
    isKnownName: (name) => names.has(name),
  });
  const gather = async () => {
    waiting.splice(0).forEach((resolve) => resolve());
    await new Promise((resolve) => { setImmediate(resolve); });
  };
  return { calls, kept, counted, gather, store, waits: () => waiting.length };
}

describe('refused calls', () => {
  it('[GEN-54] are written together, beside the calls', async () => {
    const { calls, kept, counted, gather, waits } = refusedCalls();
    calls.report(aCall());
    calls.report(aCall({ atMs: 9 }));
    calls.report(aCall({ clientId: 'c2', code: 'rate_limited', status: 429, pointers: [] }));
    expect([kept, waits()]).toEqual([[], 1]);
    await gather();
    const { clientId: _, atMs, ...alike } = aCall();
    expect(kept).toEqual([
      ['c1', [{ ...alike, count: 2, first_at_ms: atMs, last_at_ms: 9 }]],
      ['c2', [{
        operation: 'send-locations', status: 429, code: 'rate_limited', pointers: [], count: 1,
        first_at_ms: 5, last_at_ms: 5,
      }]],
    ]);
    expect(counted).toEqual([{ outcome: 'kept', calls: 2 }, { outcome: 'kept', calls: 1 }]);
    calls.report(aCall());
    await gather();
    expect(kept).toHaveLength(3);
  });

  it('[GEN-54] beyond the kinds of a client and the clients are counted only', async () => {
    const { calls, kept, counted, gather } = refusedCalls();
    for (const code of ['a', 'b', 'c', 'd', 'a']) calls.report(aCall({ code }));
    for (const clientId of ['c2', 'c3', 'c4', 'c5']) calls.report(aCall({ clientId }));
    expect(counted).toEqual([{ outcome: 'dropped', calls: 1 }, { outcome: 'dropped', calls: 1 }]);
    await gather();
    expect(kept.map(([client]) => client)).toEqual(['c1', 'c2', 'c3']);
    expect(kept[0]?.[1].map(({ code, count }) => [code, count]))
      .toEqual([['a', 2], ['b', 1], ['others', 2]]);
  });

  it('[GEN-54] that the store does not take are counted, and later ones are tried', async () => {
    const { calls, kept, counted, gather, store } = refusedCalls();
    store.fails = true;
    calls.report(aCall());
    await gather();
    expect(counted).toEqual([{ outcome: 'dropped', calls: 1 }]);
    store.fails = false;
    calls.report(aCall());
    await gather();
    expect(kept).toHaveLength(1);
  });

  it('[GEN-55] keep of a pointer the names of the interface and numbers of items', async () => {
    const { calls, kept, gather } = refusedCalls();
    const pointers = [
      '/locations/12/metadata/Ana Souza', '/query/country_id', '/locations/0/+55 11 91234',
      '/5511912345678', '/locations/0/Ana~1Souza/latitude', '/locations/1/speed',
    ];
    calls.report(aCall({ pointers }));
    calls.report(aCall({ code: 'deep', pointers: ['/locations'.repeat(20)] }));
    await gather();
    expect(kept[0]?.[1][0]?.pointers).toEqual([
      '/locations/12/metadata/*', '/query/country_id', '/locations/0/*', '/*',
      '/locations/0/*/latitude',
    ]);
    expect(kept[0]?.[1][1]?.pointers).toEqual(['/locations'.repeat(8)]);
  });
});
