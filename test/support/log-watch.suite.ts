import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lagByTopic } from '../../services/kernel/lag.ts';
import type { LogWatch } from '../../services/kernel/log-watch.ts';

/** A log with one topic of one partition, for the suite of the port {@link LogWatch}. */
export interface WatchedLog {
  readonly watch: LogWatch;
  readonly topic: string;
  /** Appends so many records, all at the present time. */
  append(records: number): Promise<void>;
  /** Lets a group commit "everything before `next` is done". */
  commit(group: string, next: bigint): Promise<void>;
  close(): Promise<void>;
}

const RECORDS = 5;
const HOUR_S = 3_600;

/** What every {@link LogWatch} does, and the lag that is made of it. */
export function describeLogWatch(name: string, open: () => Promise<WatchedLog>): void {
  describe(`the log as watched, ${name}`, () => {
    let log: WatchedLog;
    let begunMs: number;

    beforeAll(async () => {
      begunMs = Date.now();
      log = await open();
      await log.append(RECORDS);
    });
    afterAll(() => log.close());

    it('has no offsets of a group that has committed nothing, unless it gets the topics', async () => {
      const group = `test_${randomUUID()}`;
      expect(await log.watch.groups(group)).toEqual([]);
      expect(await log.watch.offsets(group)).toEqual([]);
      expect(await log.watch.offsets(group, [log.topic])).toEqual([
        { topic: log.topic, partition: 0, start: 0n, next: 0n, end: BigInt(RECORDS) },
      ]);
    });

    it('shows the committed offsets of a group, and the age of the oldest record after that', async () => {
      const group = `test_${randomUUID()}`;
      await log.commit(group, 2n);
      expect(await log.watch.groups(group)).toEqual([group]);
      const offsets = await log.watch.offsets(group);
      expect(offsets).toEqual([
        { topic: log.topic, partition: 0, start: 0n, next: 2n, end: BigInt(RECORDS) },
      ]);
      expect(await log.watch.offsets(group, [log.topic])).toEqual(offsets);
      const nowMs = Date.now();
      const [lag] = await lagByTopic(log.watch, offsets, nowMs + HOUR_S * 1_000);
      expect(lag).toMatchObject({ topic: log.topic, partitions: 1, records: RECORDS - 2 });
      expect(lag?.seconds).toBeGreaterThanOrEqual(HOUR_S);
      expect(lag?.seconds).toBeLessThanOrEqual(HOUR_S + Math.ceil((nowMs - begunMs) / 1_000) + 1);
    });

    it('is 0 records and 0 seconds behind with everything committed', async () => {
      const group = `test_${randomUUID()}`;
      await log.commit(group, BigInt(RECORDS));
      const offsets = await log.watch.offsets(group, [log.topic]);
      expect(await lagByTopic(log.watch, offsets, Date.now() + HOUR_S * 1_000)).toEqual([
        { topic: log.topic, partitions: 1, records: 0, seconds: 0 },
      ]);
    });

    it('finds the first record since a time, and the end after the last', async () => {
      const place = { topic: log.topic, partition: 0, start: 0n, next: 0n, end: BigInt(RECORDS) };
      const name = `${log.topic}:0`;
      expect(await log.watch.firstSince([place], 1)).toEqual(new Map([[name, 0n]]));
      expect(await log.watch.firstSince([place], Date.now() + HOUR_S * 1_000))
        .toEqual(new Map([[name, BigInt(RECORDS)]]));
    });

    it('leaves topics out that are not there', async () => {
      expect(await log.watch.ranges([log.topic, `missing_${randomUUID()}`])).toEqual([
        { topic: log.topic, partition: 0, start: 0n, end: BigInt(RECORDS) },
      ]);
    });
  });
}
