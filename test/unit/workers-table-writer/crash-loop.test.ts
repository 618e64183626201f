import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { assignmentOf, createTableWriterEnv, post, posts, startWorker } from './fixtures.ts';

/** A post at which a step that is of it alone throws. */
function defective(partition: number, offset: number): LogRecord {
  const { value, ...rest } = post(partition, offset);
  const subarray = (): never => { throw new TypeError('a defect'); };
  return { ...rest, value: Object.assign(value, { subarray }) };
}

describe('[GEN-49] a record at which a defect ends the table writer', () => {
  /** One process: takes records until a defect ends it; answers how it ended. */
  async function run(
    env: ReturnType<typeof createTableWriterEnv>, records: readonly LogRecord[],
  ): Promise<string> {
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    const ending = await worker.onRecords(records).catch((error: unknown) => error as Error);
    return ending instanceof Error ? ending.name : 'written';
  }

  it('is a dead letter after three ends, and its neighbours are rows once', async () => {
    const env = createTableWriterEnv();
    const records = [...posts(0, 1, 2), defective(0, 3), ...posts(0, 4, 5)];
    for (let process = 0; process < 3; process += 1) {
      expect(await run(env, records)).toBe('RecordDefect');
      expect(env.deadLetters).toEqual([]);
    }
    expect([...env.defects]).toEqual([['t1:0:3', 3]]);
    expect(await run(env, records)).toBe('written');
    expect(env.deadLetters).toEqual(['0:3 apply defect']);
    expect(Object.fromEntries(env.rows)).toEqual({ '0:1': 1, '0:2': 1, '0:4': 1, '0:5': 1 });
  });

  it('is forgotten once it can be written', async () => {
    const env = createTableWriterEnv();
    await run(env, [defective(0, 1)]);
    expect(env.defects.size).toBe(1);
    expect(await run(env, posts(0, 1, 1))).toBe('written');
    expect(env.defects.size).toBe(0);
    expect(env.deadLetters).toEqual([]);
  });

  it('ends the process each time when there are too many: then the release is bad', async () => {
    const env = createTableWriterEnv();
    for (let offset = 1; offset <= 11; offset += 1) env.defects.set(`t1:0:${offset}`, 3);
    expect(await run(env, [defective(0, 1)])).toBe('RecordDefect');
    expect(env.deadLetters).toEqual([]);
  });
});
