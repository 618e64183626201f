/**
 * One offender in a process of its own: reads its task as one line of JSON, says with an empty line
 * that something was answered, misbehaves until its input ends, and prints all answers as JSON.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { OFFENDERS } from './offenders/index.ts';
import type { OffenderEnv } from './offender.ts';

/** What an offender is given, and nothing else. */
export type Task = Omit<OffenderEnv, 'signal' | 'count'> & { readonly name: string };

/** Calls that the end cuts off are answers too, and they are there by then on any machine. */
const CUT_OFF_MS_MAX = 10_000;
const leaving = new AbortController();
const answers = new Map<string, number>();
const lines = createInterface({ input: process.stdin });
let offence: Promise<unknown> = Promise.resolve();

lines.once('line', (line) => {
  const { name, ...env } = JSON.parse(line) as Task;
  const offender = OFFENDERS.find((each) => each.name === name);
  if (offender === undefined) throw new Error(`No offender ${name}.`);
  offence = offender.run({ ...env, signal: leaving.signal, count });
});
lines.on('close', () => {
  leaving.abort();
  void Promise.race([offence, delay(CUT_OFF_MS_MAX)]).then(() => {
    process.stdout.write(`${JSON.stringify(Object.fromEntries(answers))}\n`, () => process.exit(0));
  });
});

function count(answer: number | string): void {
  if (answers.size === 0) process.stdout.write('\n');
  answers.set(String(answer), (answers.get(String(answer)) ?? 0) + 1);
}
