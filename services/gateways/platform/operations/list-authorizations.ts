import type { AuthorizationCalls as Listed } from '../../../../schemas/generated/types.ts';
import type { AuthorizationCalls, CallCursor } from '../../../kernel/authorization-calls.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { badChoice, badCursor, badFilter, badLimit, readLimit } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readParts, writeParts } from '../../common/read-page.ts';
import { readTimeRange } from '../../common/time-range.ts';
import { authorizationCall } from '../authorization-call.ts';

/** What listing needs from outside. */
export interface ListAuthorizationsPorts {
  readonly calls: Pick<AuthorizationCalls, 'list'>;
  readonly clock: Clock;
}

const STATES: readonly string[] = ['queued', 'retrying', 'authorized', 'parked', 'cancelled'];

/** `GET /platform/authorizations`: what carriers were asked for, the last first, by pages. */
export function listAuthorizations(ports: ListAuthorizationsPorts): Operation {
  return defineOperation('list-authorizations', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  { calls, clock }: ListAuthorizationsPorts, { query }: CallOf<'list-authorizations'>,
): Promise<Answer> {
  const { carrier, state, cursor } = query;
  const refusal = badFilter(query, ['carrier']);
  if (refusal !== undefined) return refusal;
  if (state !== undefined && !STATES.includes(state)) {
    return badChoice('state', state, STATES);
  }
  const range = readTimeRange(query, clock.nowMs());
  if ('kind' in range) return range;
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const after = cursor === undefined ? undefined : readCallCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const page = await calls.list(range, after, limit);
  const { next } = page;
  const body: Listed = {
    authorizations: page.calls.map(authorizationCall).filter((each) => (
      (carrier === undefined || each.carrier === carrier)
      && (state === undefined || each.state === state)
    )),
    ...(next === undefined ? {} : { next_cursor: writeParts([next.at_ms, next.call_id]) }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

function readCallCursor(text: string): CallCursor | undefined {
  const [at = '', call_id = ''] = readParts(text, 2) ?? [];
  return /^\d{1,15}$/.test(at) && call_id !== '' ? { at_ms: Number(at), call_id } : undefined;
}
