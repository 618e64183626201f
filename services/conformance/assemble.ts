import { writeFileSync } from 'node:fs';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import type { Clock, Pause } from '../kernel/clock.ts';
import { checksOf } from './all-checks.ts';
import { readOptions, type Words } from './options.ts';
import { createPatientTalk } from './patience.ts';
import { unreachable } from './reach.ts';
import { listOf, misuse, notRun, reportOf, type KitReport } from './report.ts';
import { runChecks } from './run-checks.ts';
import { createSession } from './session.ts';
import { createTalk } from './talk.ts';

export { countChecks, examineParty } from './examine-party.ts';
export { KIT_EXIT_CODES, kitOptions } from './kit-options.ts';
export type { Words } from './options.ts';

/** Time, and where long waits are printed; by default the machine's own, and nowhere. */
export interface KitTime {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly print?: (sentence: string) => void;
}

const ANSWER_MS_MAX = 15_000;
const SYSTEM_TIME: KitTime = { clock: systemClock, pause: systemPause };

/**
 * Examines one role of a target: plays the other side over HTTP. It opens neither log nor store, so
 * that it may be pointed at foreign systems.
 */
export async function examineRole(
  words: Words, env: NodeJS.ProcessEnv, { clock, pause, print }: KitTime = SYSTEM_TIME,
): Promise<KitReport> {
  const options = readOptions(words, env);
  if (typeof options === 'string') return misuse(options);
  const { target, role, only, level, profile, addresses } = options;
  const checks = checksOf(role, only, level);
  if (checks.length === 0) return misuse('No check of this role has that level and begins so.');
  if (options.list) return listOf(checks);
  for (const address of addresses) {
    const sentence = await unreachable(address);
    if (sentence !== undefined) return notRun(sentence);
  }
  const { talk, waits } = createPatientTalk(options, {
    talk: createTalk({ ...options, answerMsMax: ANSWER_MS_MAX }), clock, pause, print,
  });
  const session = createSession(options, {
    talk, clock, pause,
    schemas: loadSchemas(),
    run: createIds(clock).nonce().slice(0, 8),
    waitedMs: () => waits().waitedMs,
  });
  const examination = await runChecks(checks, session);
  return reportOf(examination, { target, role, profile, waits: waits() });
}

/** Writes the reports of a run that go to files; nothing where no checks were made. */
export function writeReports(
  { value, junit }: KitReport, files: { readonly json?: string; readonly junit?: string },
): void {
  if (junit === undefined) return;
  if (files.junit !== undefined) writeFileSync(files.junit, junit);
  if (files.json !== undefined) writeFileSync(files.json, `${JSON.stringify(value, null, 2)}\n`);
}
