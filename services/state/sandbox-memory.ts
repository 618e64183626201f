import { chooseFix } from '../kernel/choose-fix.ts';
import { LAST_FIX_LIMITS } from '../kernel/plausible-fix.ts';
import type { OutgoingRecord } from '../kernel/record-log.ts';
import type { SandboxMemory } from '../kernel/sandbox.ts';
import type { StateStore } from '../kernel/state-store.ts';
import { createSandboxFixes } from './sandbox-fixes.ts';
import { createSandboxReceipts } from './sandbox-receipts.ts';

/** What items are called in receipts, by their topic. */
export type KindsOfItems = Readonly<Record<string, string>>;

/** What a sandbox remembers over its store; `kinds` says of which topics, `locations` is one. */
export function createSandboxMemory(
  { kinds, locations }: { readonly kinds: KindsOfItems; readonly locations: string },
  store: StateStore,
): SandboxMemory {
  const receipts = createSandboxReceipts(store, (topic) => kinds[topic]);
  const lastFixes = createSandboxFixes(store);
  return {
    receipts, lastFixes,
    async remember(records, outcome = 'stored') {
      await receipts.keep(records, outcome);
      if (outcome !== 'stored') return;
      const offers = records.filter(({ topic }) => topic === locations).flatMap((record) => {
        const offer = chooseFix(LAST_FIX_LIMITS, asRead(record));
        return offer === undefined || offer === 'none' ? [] : [offer];
      });
      await lastFixes.offer(offers);
    },
  };
}

/** A record as if it had come out of a log. */
function asRead({ topic, key, value, headers }: OutgoingRecord): Parameters<typeof chooseFix>[1] {
  return {
    topic, topicId: 'sandbox', partition: 0, offset: 0n, key, value: Buffer.from(value), headers,
    schemaId: 0, timestampMs: Number(headers['received-at']),
  };
}
