/**
 * One offender in a process of its own: reads its task as one line of JSON, misbehaves until its
 * input ends, and prints as one line of JSON what it was answered.
 */
import { createInterface } from 'node:readline';
import { OFFENDERS } from './offenders/index.ts';
import type { OffenderEnv } from './offender.ts';

/** What an offender is given, and nothing else. */
export type Task = Omit<OffenderEnv, 'signal' | 'count'> & { readonly name: string };

/** Calls that are cut off by the end are counted until then. */
const ABORTED_MS = 300;
const leaving = new AbortController();
const answers = new Map<string, number>();
const lines = createInterface({ input: process.stdin });

lines.once('line', (line) => {
  const { name, ...env } = JSON.parse(line) as Task;
  const offender = OFFENDERS.find((each) => each.name === name);
  if (offender === undefined) throw new Error(`No offender ${name}.`);
  void offender.run({
    ...env, signal: leaving.signal,
    count: (answer) => { answers.set(String(answer), (answers.get(String(answer)) ?? 0) + 1); },
  });
});
lines.on('close', () => {
  leaving.abort();
  setTimeout(() => {
    process.stdout.write(`${JSON.stringify(Object.fromEntries(answers))}\n`, () => process.exit(0));
  }, ABORTED_MS);
});
