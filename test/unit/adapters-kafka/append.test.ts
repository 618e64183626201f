import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecordLog } from '../../../services/adapters/kafka/append/record-log.ts';
import type { PartitionSender } from '../../../services/adapters/kafka/append/sender.ts';
import { APPEND_LIMITS, type AppendLimits } from '../../../services/adapters/kafka/config.ts';
import { isUnavailable } from '../../../services/kernel/unavailable.ts';
import { RecordTooLarge, recordBytes } from '../../../services/kernel/record-size.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { fakeSender } from '../../support/fake-sender.ts';
import { testTopic, wallClock } from '../../support/kafka-logs.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const RECORD_BYTES = 64 + 1 + 5 + 3;

function open(limits: Partial<AppendLimits> = {}, room?: PartitionSender['room']) {
  const sender = { ...fakeSender(), ...(room === undefined ? {} : { room }) };
  const topic = { ...testTopic(1), message_bytes_max: 2_000 };
  const log = createRecordLog([topic], { ...APPEND_LIMITS, backoffMsMin: 10, ...limits }, {
    sender, clock: wallClock, signals: silentSignals, schemaIdOf: () => 1, random: () => 0,
  });
  const append = (text: string, forMs = 10_000): Promise<string> => log.append({
    topic: topic.name, key: 'k', value: Buffer.from(text), headers: {},
  }, wallClock.nowMs() + forMs).then(() => 'acked', (fault: unknown) => (isUnavailable(fault) ? fault.code : 'a bug'));
  const first = () => {
    const send = sender.open[0];
    if (send === undefined) throw new Error('nothing is being sent');
    return send;
  };
  return { log, sender, append, first, topic };
}

describe('the append path', () => {
  it('sends appends of one turn together, and what comes meanwhile after them', async () => {
    const { sender, append, first } = open();
    const early = [append('"1"'), append('"2"')];
    await vi.advanceTimersByTimeAsync(0);
    const late = [append('"3"'), append('"4"')];
    await vi.advanceTimersByTimeAsync(100);
    expect(sender.open.map(({ records }) => records.length)).toEqual([2]);
    first().complete('acked');
    expect(await Promise.all(early)).toEqual(['acked', 'acked']);
    await vi.advanceTimersByTimeAsync(20);
    first().complete('acked');
    expect(await Promise.all(late)).toEqual(['acked', 'acked']);
    expect(sender.log(0)).toEqual(['"1"', '"2"', '"3"', '"4"']);
  });

  it('writes a record under the schema that it brings along, else under that of its topic', async () => {
    const { log, topic, first } = open();
    const record = { topic: topic.name, key: 'k', value: Buffer.from('1'), headers: {} };
    void log.append(record, wallClock.nowMs() + 100);
    void log.append({ ...record, schemaId: 5 }, wallClock.nowMs() + 100);
    await vi.advanceTimersByTimeAsync(0);
    expect(first().records.map(({ schemaId }) => schemaId)).toEqual([1, 5]);
    first().complete('acked');
  });

  it('does not linger when load is low', async () => {
    const { sender, append, first } = open({ lingerMsMax: 1_000 });
    void append('"1"');
    await vi.advanceTimersByTimeAsync(0);
    first().complete('acked');
    void append('"2"');
    await vi.advanceTimersByTimeAsync(0);
    expect(sender.sends()).toBe(2);
  });

  it('lets records gather until there is room for a batch', async () => {
    let leave = (): void => undefined;
    const room = () => new Promise<void>((resolve) => { leave = resolve; });
    const { sender, append, first } = open({}, room);
    const results = [append('"1"')];
    await vi.advanceTimersByTimeAsync(10);
    results.push(append('"2"'));
    expect(sender.sends()).toBe(0);
    leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(first().records).toHaveLength(2);
    first().complete('acked');
    expect(await Promise.all(results)).toEqual(['acked', 'acked']);
  });

  it('is not held up by a clock that is set back while a record waits', async () => {
    const { sender, append, first } = open();
    void append('"1"');
    await vi.advanceTimersByTimeAsync(0);
    void append('"2"');
    vi.setSystemTime(Date.now() - 3_600_000);
    first().complete('acked');
    await vi.advanceTimersByTimeAsync(20);
    expect(sender.sends()).toBe(2);
  });

  it('lingers up to the limit once a second record has come, but not when full', async () => {
    const { sender, append, first } = open({ lingerMsMax: 15, batchBytesFull: 10 * RECORD_BYTES });
    for (let round = 0; round < 6; round += 1) {
      for (let index = 0; index < 3; index += 1) void append('"x"');
      await vi.advanceTimersByTimeAsync(20);
      first().complete('acked');
      await vi.advanceTimersByTimeAsync(0);
    }
    const sends = sender.sends();
    void append('"y"');
    await vi.advanceTimersByTimeAsync(14);
    expect(sender.sends()).toBe(sends);
    await vi.advanceTimersByTimeAsync(1);
    expect(sender.sends()).toBe(sends + 1);
    for (let index = 0; index < 10; index += 1) void append('"z"');
    first().complete('acked');
    await vi.advanceTimersByTimeAsync(0);
    expect(sender.sends()).toBe(sends + 2);
  });

  it('sends a rejected batch again as it was, before what has come since', async () => {
    const { sender, append, first } = open();
    const results = [append('"1"'), append('"2"')];
    await vi.advanceTimersByTimeAsync(0);
    first().complete('answer-lost');
    results.push(append('"3"'));
    await vi.advanceTimersByTimeAsync(10);
    expect(first().records).toHaveLength(2);
    first().complete('not-written');
    await vi.advanceTimersByTimeAsync(20);
    first().complete('acked');
    await vi.advanceTimersByTimeAsync(5);
    first().complete('acked');
    expect(await Promise.all(results)).toEqual(['acked', 'acked', 'acked']);
    expect(sender.broken).toEqual([]);
    expect(sender.log(0)).toEqual(['"1"', '"2"', '"3"']);
  });

  it('answers log_timeout for what is in progress at its deadline, log_unavailable for what waits',
    async () => {
      const { sender, append, first, log } = open({ failFastMs: 60_000 });
      const underWay = append('"1"', 500);
      await vi.advanceTimersByTimeAsync(0);
      const waits = append('"2"', 500);
      await vi.advanceTimersByTimeAsync(600);
      expect(await Promise.all([underWay, waits])).toEqual(['log_timeout', 'log_unavailable']);
      first().complete('acked');
      await vi.advanceTimersByTimeAsync(100);
      expect(sender.log(0)).toEqual(['"1"']);
      expect(log.waitingBytes()).toBe(0);
    });

  it('refuses at once while its batch has been failing for too long', async () => {
    const { append, first } = open({ failFastMs: 200 });
    const stuck = append('"1"');
    await vi.advanceTimersByTimeAsync(0);
    first().complete('not-written');
    await vi.advanceTimersByTimeAsync(201);
    expect(await append('"2"')).toBe('log_unavailable');
    first().complete('acked');
    expect(await stuck).toBe('acked');
    void append('"3"');
    await vi.advanceTimersByTimeAsync(5);
    expect(Buffer.from(first().records[0]?.json ?? []).toString()).toContain('"3"');
  });

  it('refuses what does not fit into its bytes, and takes it when there is room', async () => {
    const { append, first } = open({ waitingBytesMax: 2 * RECORD_BYTES });
    const taken = [append('"1"'), append('"2"')];
    expect(await append('"3"')).toBe('capacity_exhausted');
    await vi.advanceTimersByTimeAsync(0);
    first().complete('acked');
    await Promise.all(taken);
    void append('"4"');
    await vi.advanceTimersByTimeAsync(5);
    expect(first().records).toHaveLength(1);
  });

  it('never makes a batch larger than its limit, but sends a larger record alone', async () => {
    const { append, first } = open({ batchBytesMax: 3 * RECORD_BYTES });
    for (let index = 0; index < 4; index += 1) void append('"x"');
    void append(JSON.stringify('y'.repeat(1_000)));
    void append('"z"');
    const sizes: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await vi.advanceTimersByTimeAsync(20);
      sizes.push(first().records.length);
      first().complete('acked');
    }
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  it('throws for a record that no broker would take, and for an unknown topic', async () => {
    const { log, topic } = open();
    const record = { topic: topic.name, key: 'k', value: Buffer.alloc(2_000), headers: {} };
    await expect(log.append(record, wallClock.nowMs() + 100)).rejects.toThrow(RecordTooLarge);
    await expect(log.append({ ...record, topic: 'other' }, wallClock.nowMs() + 100))
      .rejects.toThrow(RangeError);
  });

  it('[GEN-48] counts the bytes of a record as those do who ask before', async () => {
    const { log, topic } = open();
    const headers = { client: 'cliente-é', n: '1' };
    const empty = { topic: topic.name, key: 'kéy', value: Buffer.alloc(0), headers };
    const most = topic.message_bytes_max - recordBytes(empty);
    const append = (bytes: number): Promise<unknown> => (
      log.append({ ...empty, value: Buffer.alloc(bytes) }, 0).catch((error: unknown) => error)
    );
    expect(await append(most + 1)).toBeInstanceOf(RecordTooLarge);
    expect(isUnavailable(await append(most))).toBe(true);
  });

  it('gives a batch up that the broker refuses for good, and goes on', async () => {
    const { append, first } = open();
    const refused = append('"1"');
    await vi.advanceTimersByTimeAsync(0);
    first().complete('refused');
    expect(await refused).toBe('internal');
    const next = append('"2"');
    await vi.advanceTimersByTimeAsync(5);
    first().complete('acked');
    expect(await next).toBe('acked');
  });

  it('sends what waits when it is closed, and takes nothing more', async () => {
    const { log, sender, append, first } = open();
    const underWay = append('"1"');
    await vi.advanceTimersByTimeAsync(0);
    const waits = append('"2"');
    const closed = log.close(wallClock.nowMs() + 1_000);
    expect(await append('"3"')).toBe('shutting_down');
    first().complete('acked');
    await vi.advanceTimersByTimeAsync(0);
    first().complete('acked');
    await closed;
    expect(await Promise.all([underWay, waits])).toEqual(['acked', 'acked']);
    expect(sender.log(0)).toEqual(['"1"', '"2"']);
  });

  it('lingers no more when it is closed', async () => {
    const { log, sender, append, first } = open({ lingerMsMax: 1_000 });
    for (let round = 0; round < 12; round += 1) {
      for (let index = 0; index < 2; index += 1) void append('"x"');
      await vi.advanceTimersByTimeAsync(1_000);
      first().complete('acked');
      await vi.advanceTimersByTimeAsync(0);
    }
    const lingers = append('"y"');
    await vi.advanceTimersByTimeAsync(100);
    expect(sender.open).toEqual([]);
    const closed = log.close(wallClock.nowMs() + 1_000);
    await vi.advanceTimersByTimeAsync(0);
    first().complete('acked');
    expect(await lingers).toBe('acked');
    await closed;
  });

  it('answers everything that is left at the deadline of the close', async () => {
    const { log, append } = open();
    const underWay = append('"1"');
    await vi.advanceTimersByTimeAsync(0);
    const waits = append('"2"');
    const closed = log.close(wallClock.nowMs() + 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    expect(await Promise.all([underWay, waits])).toEqual(['log_timeout', 'log_unavailable']);
  });
});
