import type { ClientRecorded } from '../../kernel/access.ts';
import { sessionAudiences } from '../../domain/token/session.ts';

/** What the pages may know of the client whose session they have; no rule hangs on it. */
export interface SessionResource {
  readonly client_id: string;
  readonly name: string;
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  readonly providers: readonly string[];
  /** A country that is served here, for calls that must name one. */
  readonly country_id: string;
}

/** Shows a client to its own session. */
export function sessionResource(client: ClientRecorded, country: string): SessionResource {
  const { client_id, name, scopes, providers } = client;
  return {
    client_id, name, audiences: sessionAudiences(client), scopes, providers, country_id: country,
  };
}
