import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import { checksOf } from './all-checks.ts';
import { readOptions, type Words } from './options.ts';
import { listOf, misuse, reportOf, type KitReport } from './report.ts';
import { runChecks } from './run-checks.ts';
import { createSession } from './session.ts';
import { createTalk } from './talk.ts';

export { ROLES, type Words } from './options.ts';
export { PROFILES } from './profiles.ts';

const ANSWER_MS_MAX = 15_000;

/**
 * Examines one role of a target: plays the other side over HTTP. It opens neither log nor store, so
 * that it may be pointed at foreign systems.
 */
export async function examineRole(words: Words, env: NodeJS.ProcessEnv): Promise<KitReport> {
  const options = readOptions(words, env);
  if (typeof options === 'string') return misuse(options);
  const checks = checksOf(options.role, options.only);
  if (checks.length === 0) return misuse(`No check of this role begins with ${options.only}.`);
  if (options.list) return listOf(checks);
  const session = createSession(options, {
    talk: createTalk({ ...options, answerMsMax: ANSWER_MS_MAX }),
    schemas: loadSchemas(),
    clock: systemClock,
    pause: systemPause,
    run: createIds(systemClock).nonce().slice(0, 8),
  });
  return reportOf(options.target, await runChecks(checks, session), options.profile);
}
