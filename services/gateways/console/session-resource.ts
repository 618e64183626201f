import type { ClientRecorded } from '../../kernel/access.ts';
import type { BrowserSession } from '../../kernel/sessions.ts';
import { sessionAudiences } from '../../domain/token/session.ts';

/** Shows a client to its own session. */
export function sessionResource(client: ClientRecorded, country: string): BrowserSession {
  const { client_id, name, scopes, providers } = client;
  return {
    client_id, name, audiences: sessionAudiences(client), scopes, providers, country_id: country,
  };
}
