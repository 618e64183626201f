import type { AuthorizationCalls } from '../../../kernel/authorization-calls.ts';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { authorizationCall, noSuchAuthorization } from '../authorization-call.ts';

/** `GET /platform/authorizations/{call_id}`: the state of an authorization at its carrier. */
export function showAuthorization(calls: Pick<AuthorizationCalls, 'load'>): Operation {
  return defineOperation('show-authorization', {
    errors: problemErrors,
    async handle({ params }) {
      const call = await calls.load(params.call_id);
      if (call === undefined) return noSuchAuthorization();
      return { kind: 'answer', status: 200, body: authorizationCall(call) };
    },
  });
}
