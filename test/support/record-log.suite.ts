import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RecordLog } from '../../services/kernel/record-log.ts';

/** One record as the log under test keeps it. */
export interface KeptRecord {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The log under test, with a way to look into it. */
export interface RecordLogUnderTest {
  readonly log: RecordLog;
  readonly topic: string;
  /** Every record of the topic; records of one key in the order of the log. */
  kept(): Promise<readonly KeptRecord[]>;
}

/** What every {@link RecordLog} promises, the real ones and the fake. `open` is called once. */
export function describeRecordLog(name: string, open: () => Promise<RecordLogUnderTest>): void {
  describe(`${name} as a RecordLog`, () => {
    const opened = (() => {
      let once: Promise<RecordLogUnderTest> | undefined;
      return () => (once ??= open());
    })();
    const soon = (): number => Date.now() + 10_000;
    const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

    async function keptOf(key: string): Promise<readonly KeptRecord[]> {
      const { kept } = await opened();
      return (await kept()).filter((record) => record.key === key);
    }

    it('has the record with its key, value and headers once append has resolved', async () => {
      const { log, topic } = await opened();
      const key = randomUUID();
      const value = json({ text: 'Zürich → 東京 🚚', number: 1.5, list: [1, null] });
      const headers = { 'ingest-id': randomUUID(), client: '000000000000001', n: '3' };
      await log.append({ topic, key, value, headers }, soon());
      const [record, ...others] = await keptOf(key);
      expect(others).toEqual([]);
      expect(Buffer.from(record?.bytes ?? []).equals(value)).toBe(true);
      expect(record?.headers).toEqual(headers);
    });

    it('keeps the order of the appends of one key, also without waiting in between', async () => {
      const { log, topic } = await opened();
      const key = randomUUID();
      const numbers = Array.from({ length: 200 }, (_, number) => number);
      await Promise.all(numbers.map((number) => (
        log.append({ topic, key, value: json(number), headers: {} }, soon())
      )));
      const kept = (await keptOf(key)).map(({ bytes }) => Number(Buffer.from(bytes).toString()));
      expect(kept).toEqual(numbers);
    });

    it('keeps a value of a whole mebibyte byte for byte', async () => {
      const { log, topic } = await opened();
      const key = randomUUID();
      const value = json('é'.repeat(524_287));
      await log.append({ topic, key, value, headers: {} }, soon());
      const [record] = await keptOf(key);
      expect(Buffer.from(record?.bytes ?? []).equals(value)).toBe(true);
    });
  });
}
