import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { badParameter, missingParameter } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { planSignature, replayResource, type DeadLetterSource } from '../planned-replay.ts';

const SIGNATURE = /^[0-9a-f]{16}$/;
const FORM = 'signature must be 16 hexadecimal digits in lower case, as list-dead-letters gives it.';

/**
 * `GET /operator/dead_letters/replay`: what a replay of a signature would put back and what not.
 * Its `until` is the time of the newest dead letter, so that the replay has those it counted.
 */
export function showReplay(source: DeadLetterSource): Operation {
  return defineOperation('show-replay', {
    errors: problemErrors, handle: (call) => handle(source, call),
  });
}

async function handle(
  source: DeadLetterSource, { query, receivedAtMs }: CallOf<'show-replay'>,
): Promise<Answer> {
  const { signature } = query;
  if (signature === undefined) return missingParameter('signature', FORM.slice(0, -1), query);
  if (!SIGNATURE.test(signature)) return badParameter('signature', FORM);
  const { plan, lastAtMs } = await planSignature(source, signature);
  return {
    kind: 'answer', status: 200,
    body: replayResource(signature, lastAtMs ?? receivedAtMs, plan),
  };
}
