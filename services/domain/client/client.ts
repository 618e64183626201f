import type { ClientRecorded, ClientSecret } from '../../kernel/access.ts';

/** Most secrets that authenticate at one time: the old and the new one of a rotation. */
export const LIVE_SECRETS_MAX = 2;

/** What an operator may change about a client. */
export type ClientGrants = Partial<
  Pick<ClientRecorded, 'name' | 'providers' | 'audiences' | 'scopes' | 'status' | 'tracking_numbers'>
>;

/** Secrets of a client that authenticate now. */
export function liveSecrets(client: ClientRecorded | undefined): readonly ClientSecret[] {
  return client?.secrets.filter((secret) => secret.retired_at_ms === undefined) ?? [];
}

/**
 * The next version of a client with other grants or another status. Another status revokes the
 * tokens from before it, so that enabling gives none of them back.
 */
export function changeClient(
  client: ClientRecorded, grants: ClientGrants, atMs: number,
): ClientRecorded {
  const { status = client.status } = grants;
  const next = { ...client, ...grants, version: client.version + 1, at_ms: atMs };
  return status === client.status ? next : { ...next, revocations: revocationsAfter(client) };
}

/** The next version of a client whose tokens are all refused, but for those that come after it. */
export function revokeTokens(client: ClientRecorded, atMs: number): ClientRecorded {
  return { ...changeClient(client, {}, atMs), revocations: revocationsAfter(client) };
}

/** Adds a secret for a rotation; when two are live already the older one is retired. */
export function addSecret(client: ClientRecorded, secret: ClientSecret): ClientRecorded {
  const live = liveSecrets(client);
  const excess = live.slice(0, Math.max(0, live.length + 1 - LIVE_SECRETS_MAX));
  const kept = client.secrets.map((each) =>
    excess.includes(each) ? { ...each, retired_at_ms: secret.created_at_ms } : each);
  return {
    ...client,
    secrets: [...kept, secret],
    version: client.version + 1,
    at_ms: secret.created_at_ms,
  };
}

/** Retires one secret by id; a client without such a live secret stays as it is. */
export function retireSecret(
  client: ClientRecorded, secretId: string, atMs: number,
): ClientRecorded | undefined {
  if (!liveSecrets(client).some((each) => each.secret_id === secretId)) return undefined;
  const secrets = client.secrets.map((each) =>
    each.secret_id === secretId ? { ...each, retired_at_ms: atMs } : each);
  return { ...client, secrets, version: client.version + 1, at_ms: atMs };
}

function revocationsAfter({ revocations = 0 }: ClientRecorded): number {
  return revocations + 1;
}
