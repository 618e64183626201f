import type { Code } from '../../kernel/codes.ts';
import type { Stage } from '../../kernel/unavailable.ts';
import type { CommitOffset, LogRecord, UndecodableRecord } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';

/** A record as the log delivers it, readable or not. */
export type ConsumedRecord = LogRecord | UndecodableRecord;

/** Why a record can never be processed. */
export interface Poison {
  readonly stage: Stage;
  readonly code: Code;
  readonly detail: string;
}

/** How a record ended: exactly one of these, counted once. */
export type Outcome =
  | { readonly kind: 'applied' | 'ignored'; readonly record: ConsumedRecord }
  | { readonly kind: 'dead_letter'; readonly record: ConsumedRecord; readonly poison: Poison };

/**
 * Applies records to the state store, idempotently, and returns how each one ended. Projectors and
 * the rebuild share these, so that both write the same state.
 */
export type ApplyRecords = (records: readonly ConsumedRecord[]) => Promise<readonly Outcome[]>;

/** Why a record that is not decoded cannot be processed: by its writer's schema, or its bytes. */
export function unreadable({ refusal }: UndecodableRecord, detail: string): Poison {
  return { stage: 'consume', ...refusal ?? { code: 'undecodable', detail } };
}

/** The outcome of a record that can never be processed. */
export function poisoned(record: ConsumedRecord, code: Code, detail: string): Outcome {
  return { kind: 'dead_letter', record, poison: { stage: 'consume', code, detail } };
}

/** Counts how the records of one batch ended, by topic and outcome. */
export function reportOutcomes(
  signals: Signals, worker: string, outcomes: readonly Outcome[],
): void {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    const code = outcome.kind === 'dead_letter' ? outcome.poison.code : 'none';
    const name = `${outcome.record.topic} ${outcome.kind} ${code}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name, count] of counts) {
    const [topic = '', outcome = '', code = ''] = name.split(' ');
    signals.recordsEnded({ worker, topic, outcome, code, records: count });
  }
}

/** "Everything up to the last of these records is done", per partition. */
export function commitOffsets(records: readonly ConsumedRecord[]): readonly CommitOffset[] {
  const next = new Map<string, CommitOffset>();
  for (const { topic, partition, offset } of records) {
    const name = `${topic}:${partition}`;
    const known = next.get(name);
    if (known === undefined || offset >= known.nextOffset) {
      next.set(name, { topic, partition, nextOffset: offset + 1n });
    }
  }
  return [...next.values()];
}
