import type { AcceptedCall, ItemOutcomeReader, RecordOutcome } from '../kernel/ingest.ts';
import type { OutgoingRecord } from '../kernel/record-log.ts';
import type { OutcomeWord } from '../kernel/magic-ids.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { READY } from './fold-facts.ts';
import { transact } from './transact.ts';

/** What the items of a topic are called in receipts; other topics have none. */
export type KindOfTopic = (topic: string) => string | undefined;

/** Receipts that a sandbox keeps; the oldest goes for a newer one. */
const RECEIPTS_MAX = 200;
const RECEIPTS: StateKey = { shard: 0, kind: 'sandbox', id: 'receipts' };

/** What is kept of an accepted call, as JSON. */
interface Receipt extends Pick<AcceptedCall, 'received_at_ms' | 'kind' | 'provider' | 'items'> {
  readonly topic: string;
  readonly outcome: OutcomeWord;
}

/** Receipts in a sandbox, and the way to keep one. */
export interface SandboxReceipts extends ItemOutcomeReader {
  keep(records: readonly OutgoingRecord[], outcome: OutcomeWord): Promise<void>;
}

/**
 * Receipts of a sandbox client in one entry, by the id of the call, which rises with time. All
 * items of a call have one outcome: the one that its magic id names, else they are stored.
 */
export function createSandboxReceipts(
  store: StateStore, kindOf: KindOfTopic,
): SandboxReceipts {
  async function read(): Promise<StateFields> {
    const { entries } = await store.read([RECEIPTS], READY);
    return entries[0]?.fields ?? new Map<string, string>();
  }

  return {
    async keep(records, outcome) {
      const [first] = records;
      const kind = first && kindOf(first.topic);
      const ingestId = first?.headers['ingest-id'];
      if (first === undefined || kind === undefined || ingestId === undefined) return;
      const receipt: Receipt = {
        received_at_ms: Number(first.headers['received-at']), topic: first.topic, kind, outcome,
        provider: first.headers['provider'] ?? '',
        items: records.reduce((sum, { headers }) => sum + Number(headers['n'] ?? 1), 0),
      };
      await transact(store, READY, {
        keys: [RECEIPTS],
        decide([entry]) {
          const { version = 0, fields = new Map<string, string>() } = entry ?? {};
          const over = Math.max(0, fields.size + 1 - RECEIPTS_MAX);
          const drop = [...fields.keys()].toSorted().slice(0, over);
          const set = { [ingestId]: JSON.stringify(receipt) };
          return {
            result: undefined,
            transaction: { entries: [{ key: RECEIPTS, version, set, drop }] },
          };
        },
      });
    },

    async find(_, ingestId) {
      const text = (await read()).get(ingestId);
      return text === undefined ? [] : [outcomeOf(JSON.parse(text) as Receipt)];
    },

    async newest(_, { sinceMs, limit }) {
      return [...await read()]
        .map(([ingestId, text]) => ({ ingestId, ...JSON.parse(text) as Receipt }))
        .filter(({ received_at_ms }) => received_at_ms >= sinceMs)
        .toSorted((a, b) => (a.ingestId < b.ingestId ? 1 : -1))
        .slice(0, limit)
        .map(({ topic: _topic, outcome: _outcome, ...call }) => call);
    },
  };
}

const NONE = {
  stored: 0, duplicate: 0, outlier: 0, out_of_order: 0, ignored_after_final: 0, disputed: 0,
  dead_lettered: 0,
};

/** A record of a log that is none: its offset says nothing. */
function outcomeOf({ kind, topic, received_at_ms, items, outcome }: Receipt): RecordOutcome {
  return {
    kind, topic, partition: 0, offset: 0, received_at_ms, items,
    outcomes: outcome === 'waiting' ? NONE : { ...NONE, [outcome]: items },
    outlierReasons: outcome === 'outlier' ? { too_old: items } : {},
    waiting: outcome === 'waiting' ? items : 0,
    rule: undefined, unmapped: false,
    deadLetter: outcome === 'dead_lettered'
      ? { stage: 'insert', code: 'sink_rejected' } : undefined,
  };
}
