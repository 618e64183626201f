import { join } from 'node:path';
import { bundleFrom, type Bundle } from '../../schemas/bundles.ts';
import { readSource } from '../generate/source.ts';

/** What no later release may change of a topic: who reads it has counted on it. */
interface TopicForm {
  readonly record: string;
  readonly subject: string;
  readonly partitions: number;
}

/** The log as a release writes it: its topics, and the schema of each record in one piece. */
export interface LogForm {
  readonly topics: Readonly<Record<string, TopicForm>>;
  readonly records: Readonly<Record<string, Bundle>>;
}

/** Reads the form of the log from `schemas/` below `root`. */
export function readLogForm(root: string): LogForm {
  const source = readSource(join(root, 'schemas'));
  const topics = source.catalog.topics.map(({ name, record, subject, partitions }) => (
    [name, { record, subject, partitions }] as const
  ));
  const records = source.files.flatMap((file) => (
    file.room === 'records' && file.title !== undefined
      ? [[file.title, bundleFrom(source, file)] as const]
      : []
  ));
  return { topics: Object.fromEntries(topics), records: Object.fromEntries(records) };
}

/** The form as a file, a topic and a record on a line of its own, so that a diff is short. */
export function logFormFile({ topics, records }: LogForm): string {
  return `{\n"topics": ${linesOf(topics)},\n"records": ${linesOf(records)}\n}\n`;
}

function linesOf(members: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(members).map(([name, value]) => (
    `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  ));
  return `{\n${lines.join(',\n')}\n}`;
}
