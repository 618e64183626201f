import type { Operation } from '../../../kernel/http.ts';
import { CONSOLE_AUDIENCE } from '../../../kernel/sessions.ts';
import { SCOPE_ANY } from '../../../domain/access/authorize.ts';
import { problemErrors } from '../../common/problem.ts';
import { sessionResource } from '../session-resource.ts';
import type { BrowserSessionPorts } from './open-session.ts';

/** `GET /console/session`: whose session the cookie is. */
export function showSession({ states, country }: BrowserSessionPorts): Operation<'bearer'> {
  return {
    id: 'show-session', method: 'GET', path: '/console/session',
    authentication: 'bearer', audience: CONSOLE_AUDIENCE, scope: SCOPE_ANY,
    bodyKind: 'none', bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
    async handle({ caller }) {
      const client = await states.findClient(caller.clientId);
      return client === undefined
        ? { kind: 'refusal', code: 'invalid_token', detail: 'The client of the session is gone.' }
        : { kind: 'answer', status: 200, body: sessionResource(client, country) };
    },
  };
}
