import { randomUUID } from 'node:crypto';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import type { Check, CheckOutcome } from '../../../services/conformance/check.ts';
import { runChecks } from '../../../services/conformance/run-checks.ts';
import { createSession, type Setup } from '../../../services/conformance/session.ts';
import { createTalk } from '../../../services/conformance/talk.ts';
import type { Twist, WrongReceiver } from '../../support/wrong-receiver.ts';
import { KNOWN } from '../../support/wrong-receiver/receiver.ts';

const schemas = loadSchemas();

/** Makes one check against the receiver, which errs as asked; waiting takes no time. */
export async function examine(
  receiver: WrongReceiver, check: Check, twist: Twist = {}, change: Partial<Setup> = {},
): Promise<CheckOutcome> {
  receiver.begin(twist);
  const { url } = receiver;
  const session = createSession({ ...KNOWN, ...change }, {
    talk: createTalk({ target: url, tokenTarget: url, answerMsMax: 10_000 }),
    schemas,
    clock: { nowMs: () => Date.now() + receiver.lateMs() },
    pause: () => Promise.resolve(),
    run: randomUUID().slice(0, 8),
  });
  const { results: [result] } = await runChecks([check], session);
  return result!.outcome;
}
