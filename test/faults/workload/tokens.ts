import { basic } from '../../support/platform-calls.ts';
import { sha256, type Caller, type Ending } from './caller.ts';

/** A client of the platform, its secret and the provider that it is. */
export interface Credential {
  readonly client_id: string;
  /** Changes where it is rotated; a token request shows the present one. */
  client_secret: string;
  readonly provider: string;
}

/** Asks for a token until there is one; undefined when the run is over. */
export async function issueToken(
  caller: Caller, credential: Credential, audience: string,
): Promise<string | undefined> {
  let token: string | undefined;
  const { outcome } = await caller.call({
    op: 'issue-token', path: '/oauth/token',
    body: { audience, grant_type: 'client_credentials' },
    headers: { authorization: basic(credential.client_id, credential.client_secret) },
    args: { audience },
    learn: (body) => {
      token = String(body['access_token']);
      return { subject_token_sha256: sha256(token) };
    },
  });
  return outcome === 'ok' ? token : undefined;
}

/** Ends a token; `header` is a token of the audience `revoke`. */
export function revokeToken(
  caller: Caller, header: string, token: string, gateway: number,
): Promise<Ending> {
  return caller.call({
    op: 'revoke-token', path: '/oauth/revoke', token: header, gateway,
    body: new URLSearchParams({ token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    args: { subject_token_sha256: sha256(token) },
  });
}
