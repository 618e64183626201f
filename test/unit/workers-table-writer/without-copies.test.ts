import { expect, it } from 'vitest';
import { withoutCopies } from '../../../services/workers/table-writer/without-copies.ts';
import {
  assignmentOf, createTableWriterEnv, post, posts, startWorker, unreadable,
} from './fixtures.ts';

const copyOf = (offset: number, of: number) => (
  post(0, offset, { headers: { 'replayed-from': `t1:0:${of}` } })
);

const linesOf = (records: readonly ReturnType<typeof post>[]) => (
  records.map((record) => ({ record, bytes: record.value }))
);

it('leaves the first of records that are one by their original id', () => {
  const lines = linesOf([copyOf(10, 3), copyOf(11, 3), copyOf(12, 4), post(0, 4)]);
  expect(withoutCopies(lines).map(({ record }) => record.offset)).toEqual([10n, 12n]);
});

it('does not touch a batch without copies', () => {
  const plain = linesOf(posts(0, 1, 3));
  expect(withoutCopies(plain)).toBe(plain);
});

it('an append that was repeated inserts each record once, and commits behind both', async () => {
  const env = createTableWriterEnv();
  const worker = startWorker(env);
  await worker.onAssigned(assignmentOf(0));
  expect(await worker.onRecords([copyOf(10, 3), copyOf(11, 3)]))
    .toMatchObject([{ nextOffset: 12n }]);
  expect(env.timeline.filter((line) => line.startsWith('inserted')))
    .toEqual(['inserted t1:0:10-11#0-1']);
});

it('a record that cannot be read does not suppress its copy that can', async () => {
  const env = createTableWriterEnv();
  const worker = startWorker(env);
  await worker.onAssigned(assignmentOf(0));
  await worker.onRecords([unreadable(0, 3), copyOf(10, 3)]);
  expect(env.timeline.filter((line) => line.startsWith('inserted')))
    .toEqual(['inserted t1:0:3-10#0-1']);
});
