import { describe, expect, it } from 'vitest';
import {
  createTakenCalls, type TakenCallsConfig,
} from '../../../services/gateways/common/taken-calls.ts';
import type { KeptTaken, TakenCall } from '../../../services/kernel/taken-calls.ts';

const aCall = (change: Partial<TakenCall> = {}): TakenCall => (
  { clientId: 'c1', operation: 'send-locations', atMs: 5, ...change }
);
const took = (operation: string, atMs: number): KeptTaken => (
  { operation, first_at_ms: atMs, last_at_ms: atMs }
);

/** Taken calls over a store in memory; `gather` lets the time of gathering pass. */
function takenCalls(limits: Partial<TakenCallsConfig> = {}) {
  const kept: [client: string, taken: readonly KeptTaken[]][] = [];
  const waiting: (() => void)[] = [];
  const store = { fails: false };
  const calls = createTakenCalls({ gatherMs: 1, writtenMs: 100, kindsMax: 8, ...limits }, {
    store: {
      keep: async (client, taken) => {
        if (store.fails) throw new Error('full');
        kept.push([client, taken]);
      },
    },
    pause: () => new Promise((resolve) => { waiting.push(resolve); }),
  });
  const gather = async () => {
    waiting.splice(0).forEach((resolve) => resolve());
    await new Promise((resolve) => { setImmediate(resolve); });
  };
  return { calls, kept, gather, store, waits: () => waiting.length };
}

describe('taken calls', () => {
  it('are written once for each operation, client by client, beside the calls', async () => {
    const { calls, kept, gather, waits } = takenCalls();
    for (const atMs of [5, 6, 7]) calls.report(aCall({ atMs }));
    calls.report(aCall({ operation: 'show-ingest', atMs: 8 }));
    calls.report(aCall({ clientId: 'c2', atMs: 9 }));
    expect([kept, waits()]).toEqual([[], 1]);
    await gather();
    expect(kept).toEqual([
      ['c1', [took('send-locations', 5), took('show-ingest', 8)]],
      ['c2', [took('send-locations', 9)]],
    ]);
    calls.report(aCall({ atMs: 104 }));
    expect(waits()).toBe(0);
  });

  it('are written again once that was a while ago', async () => {
    const { calls, kept, gather } = takenCalls();
    calls.report(aCall());
    await gather();
    calls.report(aCall({ atMs: 105 }));
    await gather();
    expect(kept).toEqual([['c1', [took('send-locations', 5)]], ['c1', [took('send-locations', 105)]]]);
  });

  it('that the store does not take are written with the next call', async () => {
    const { calls, kept, gather, store } = takenCalls();
    store.fails = true;
    calls.report(aCall());
    await gather();
    store.fails = false;
    calls.report(aCall({ atMs: 6 }));
    await gather();
    expect(kept).toEqual([['c1', [took('send-locations', 6)]]]);
  });

  it('of more kinds than a gateway has in mind are written more often, and none is lost', async () => {
    const { calls, kept, gather } = takenCalls({ kindsMax: 2 });
    for (const clientId of ['c1', 'c2', 'c3', 'c1']) calls.report(aCall({ clientId }));
    await gather();
    expect(new Set(kept.map(([client]) => client))).toEqual(new Set(['c1', 'c2', 'c3']));
  });
});
