import { TOPICS } from '../../schemas/generated/catalog.ts';
import { overflowKeyOf, type OverflowRecorded } from '../../services/kernel/overflow.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { OverflowSource } from '../../services/operator/overflow/overflow-now.ts';
import type { FakeRecordLog } from './fake-log.ts';
import { aLogRecord } from './fake-log-reader.ts';
import { fakeWatchedLog } from './fake-watched-log.ts';

/** Decisions in memory: those that a log in memory takes, and what a test adds. */
export interface FakeOverflow extends OverflowSource {
  add(...facts: readonly OverflowRecorded[]): void;
  /** So many records wait in the overflow topic. */
  wait(records: number): void;
  /** What the log took so far is no decision any more. */
  forget(): void;
  /** From now on the log does not answer, until it is found again. */
  lose(): void;
  heal(): void;
}

/** Opens the decisions of a log. */
export function fakeOverflow(log: Pick<FakeRecordLog, 'of'>): FakeOverflow {
  const added: OverflowRecorded[] = [];
  let waiting = 0;
  let forgotten = 0;
  let isLost = false;
  const watched = () => {
    if (isLost) throw new Unavailable('log_unavailable', 'apply', 'as the test asked');
    const taken = log.of(TOPICS.overflow.name).slice(forgotten);
    const facts = [...added, ...taken.map(({ value }) => value as OverflowRecorded)];
    return fakeWatchedLog([
      ...facts.map((fact, at) => (
        aLogRecord(TOPICS.overflow.name, at, fact, { key: overflowKeyOf(fact) }))),
      ...Array.from({ length: waiting }, (_, at) => (
        aLogRecord(TOPICS.overflowLocations.name, at, {}))),
    ]);
  };
  return {
    watch: {
      ranges: async (topics) => watched().watch.ranges(topics),
      offsets: async (group) => watched().watch.offsets(group),
    },
    rangeReader: {
      readRanges: async (ranges, onRecords) => watched().rangeReader.readRanges(ranges, onRecords),
    },
    add(...facts) { added.push(...facts); },
    wait(records) { waiting = records; },
    forget() { forgotten = log.of(TOPICS.overflow.name).length; },
    lose() { isLost = true; },
    heal() { isLost = false; },
  };
}

/** What a table writer decides about a provider that floods, without an end. */
export function aFlood(provider: string, change: Partial<OverflowRecorded> = {}): OverflowRecorded {
  return {
    type: 'OverflowRecorded', provider, by: 'writer', state: 'in', version: 1,
    at_ms: 1_764_000_000_000, reason: 'floods', ...change,
  };
}
