import type { DefectCounts } from '../../kernel/defect-counts.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { ApplyRecords, ConsumedRecord, Outcome, Poison } from './outcomes.ts';

/** When a crash loop is broken. */
export interface CrashBreakerConfig {
  /** Ends of the process at a record after which it becomes a dead letter. */
  readonly endsMax: number;
  /** Dead letters of this kind at most: more of them say that the program is wrong. */
  readonly deadLettersMax: number;
}

/** Defaults of {@link CrashBreakerConfig}. */
export const CRASH_BREAKER_LIMITS: CrashBreakerConfig = { endsMax: 3, deadLettersMax: 10 };

/** Keeps a worker from coming back to a record forever at which a defect ends its process. */
export interface CrashBreaker {
  /** What former processes left is read before the next record. */
  readonly onAssigned: () => void;
  /** Reads it, once an assignment; an outage may be waited for here, and not in `onAssigned`. */
  readonly load: () => Promise<void>;
  /** Why a record is not applied any more; undefined while it is. */
  readonly poisonOf: (record: ConsumedRecord) => Poison | undefined;
  /** The same work, its defects counted, and each record alone that was there at one. */
  readonly guard: (applyRecords: ApplyRecords) => ApplyRecords;
  /** Work on records of which each step is of one record, see {@link ofRecord}. */
  readonly guardSteps: <Result>(
    records: readonly ConsumedRecord[], work: () => Promise<Result>,
  ) => Promise<Result>;
}

/** A defect that is known to be of one record; its cause is what was thrown. */
export class RecordDefect extends Error {
  override readonly name = 'RecordDefect';
  readonly record: ConsumedRecord;

  constructor(record: ConsumedRecord, cause: unknown) {
    super(`a defect at ${formatRecordId(record)}`, { cause });
    this.record = record;
  }
}

/** A step that is of this record alone: what it throws is known to be of it. */
export function ofRecord<Result>(record: ConsumedRecord, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw isUnavailable(error) ? error : new RecordDefect(record, error);
  }
}

/**
 * A defect ends the process, and the records that were being applied are remembered. The next
 * process applies these one by one, so that the next defect names its record alone; at `endsMax`
 * it is a dead letter. Only defects that are thrown count, not a process that is killed.
 */
export function createCrashBreaker(
  config: CrashBreakerConfig, defects: DefectCounts,
): CrashBreaker {
  let counts = new Map<string, number>();
  let isLoaded = false;

  function poisonOf(record: ConsumedRecord): Poison | undefined {
    const ends = counts.get(formatRecordId(record)) ?? 0;
    if (ends < config.endsMax || deadLettersSoFar() > config.deadLettersMax) return undefined;
    return { stage: 'apply', code: 'defect', detail: `the process ended ${ends} times at it` };
  }

  async function load(): Promise<void> {
    if (isLoaded) return;
    counts = new Map(await defects.load());
    isLoaded = true;
  }

  function deadLettersSoFar(): number {
    return [...counts.values()].filter((ends) => ends >= config.endsMax).length;
  }

  function guard(applyRecords: ApplyRecords): ApplyRecords {
    async function applyRun(run: readonly ConsumedRecord[]): Promise<readonly Outcome[]> {
      const [first] = run;
      const poison = first === undefined ? undefined : poisonOf(first);
      if (first !== undefined && poison !== undefined) {
        return [{ kind: 'dead_letter', record: first, poison }];
      }
      try {
        return await applyRecords(run);
      } catch (error) {
        if (!isUnavailable(error)) await count(run);
        throw error;
      }
    }

    return async (records) => {
      await load();
      if (counts.size === 0) return applyRun(records);
      const outcomes: Outcome[] = [];
      for (const run of runsOf(records, counts)) outcomes.push(...await applyRun(run));
      await forget(records);
      return outcomes;
    };
  }

  /** The defect is what ends the process, also where it cannot be counted. */
  async function count(records: readonly ConsumedRecord[]): Promise<void> {
    await defects.add(records.map(formatRecordId)).catch(() => undefined);
  }

  async function guardSteps<Result>(
    records: readonly ConsumedRecord[], work: () => Promise<Result>,
  ): Promise<Result> {
    await load();
    try {
      const result = await work();
      if (counts.size > 0) await forget(records);
      return result;
    } catch (error) {
      if (error instanceof RecordDefect) await count([error.record]);
      throw error;
    }
  }

  async function forget(records: readonly ConsumedRecord[]): Promise<void> {
    const names = records.filter((record) => poisonOf(record) === undefined).map(formatRecordId)
      .filter((name) => counts.has(name));
    await defects.clear(names);
    for (const name of names) counts.delete(name);
  }

  return {
    onAssigned: () => { isLoaded = false; },
    load,
    poisonOf,
    guard,
    guardSteps,
  };
}

/** Records in their order, those that were there at a defect each alone. */
function runsOf(
  records: readonly ConsumedRecord[], suspects: ReadonlyMap<string, number>,
): readonly (readonly ConsumedRecord[])[] {
  const runs: ConsumedRecord[][] = [];
  let isOpen = false;
  for (const record of records) {
    const isSuspect = suspects.has(formatRecordId(record));
    if (isOpen && !isSuspect) runs.at(-1)?.push(record);
    else runs.push([record]);
    isOpen = !isSuspect;
  }
  return runs;
}
