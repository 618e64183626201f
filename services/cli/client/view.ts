import type { ClientRecorded } from '../../kernel/access.ts';
import { isoOf } from '../inspect/facts.ts';
import { limitLines } from './limits.ts';
import type { ShownClient } from '../ports.ts';

/** A client for eyes: everything but the hashes of its secrets. */
export function shown(client: ClientRecorded): ShownClient {
  const { type: _, secrets, ...rest } = client;
  return {
    ...rest,
    secrets: secrets.map(({ secret_id, created_at_ms, retired_at_ms }) => ({
      secret_id, created_at_ms, live: retired_at_ms === undefined,
    })),
  };
}

/** A client as lines of text; a new secret is shown here once and never again. */
export function clientLines(client: ClientRecorded, secret?: string): readonly string[] {
  return [
    `client_id      ${client.client_id}`,
    ...(secret === undefined ? [] : [`client_secret  ${secret}   (shown only now)`]),
    `name           ${client.name}`,
    `user_id        ${client.user_id}`,
    `status         ${client.status}`,
    ...(client.sandbox === true ? ['sandbox        yes: it stores nothing that others see'] : []),
    `providers      ${client.providers.join(' ')}`,
    `audiences      ${client.audiences.join(' ')}`,
    `scopes         ${client.scopes.join(' ')}`,
    ...(client.tracking_numbers ?? []).map((beginning) => `numbers        ${beginning}…`),
    ...(client.revocations === undefined ? [] : [revocationLine(client.revocations)]),
    ...(client.limits === undefined ? [] : limitLines(client)),
    ...shown(client).secrets.map((each) => (
      `secret         ${each.secret_id} ${each.live ? 'live' : 'retired'}, made ${isoOf(each.created_at_ms)}`
    )),
  ];
}

/** How often all of its tokens were revoked at once. */
function revocationLine(count: number): string {
  return `revocations    ${count} (times that all its tokens were revoked)`;
}
