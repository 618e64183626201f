import { describe, expect, it } from 'vitest';
import type { OutgoingRecord } from '../../../services/kernel/record-log.ts';
import { appendRegistered } from '../../../services/cli/append-registered.ts';

const record = (topic: string): OutgoingRecord => (
  { topic, key: 'k', value: Buffer.from('{}'), headers: {} }
);

/** A log whose registry takes two seconds a topic, and refuses so many times first. */
function opened(refusals = 0) {
  const done: string[] = [];
  let nowMs = 1_000;
  let left = refusals;
  const log = appendRegistered(
    { append: ({ topic }, deadlineMs) => { done.push(`${topic} until ${deadlineMs}`); return Promise.resolve(); } },
    (topic) => {
      nowMs += 2_000;
      done.push(`registers ${topic}`);
      left -= 1;
      return left >= 0 ? Promise.reject(new Error('away')) : Promise.resolve();
    },
    { nowMs: () => nowMs },
  );
  return { log, done };
}

describe('the log of the operator', () => {
  it('registers the schema of a topic before the first record of it, and only then', async () => {
    const { log, done } = opened();
    expect(done).toEqual([]);
    await Promise.all([log.append(record('a'), 5_000), log.append(record('a'), 5_000)]);
    await log.append(record('b'), 9_000);
    expect(done).toEqual([
      'registers a', 'a until 7000', 'a until 5000', 'registers b', 'b until 11000',
    ]);
  });

  it('writes nothing while the registry is away, and asks again with the next record', async () => {
    const { log, done } = opened(1);
    await expect(log.append(record('a'), 5_000)).rejects.toThrow('away');
    await log.append(record('a'), 5_000);
    expect(done).toEqual(['registers a', 'registers a', 'a until 7000']);
  });
});
