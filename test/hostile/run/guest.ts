import { randomBytes } from 'node:crypto';
import { waitFor } from '../../../infra/local/wait.ts';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import type { Report } from '../../../services/cli/ports.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import { basic, callAt, type PlatformReply } from '../../support/platform-calls.ts';
import type { Guest, GuestClient } from '../offender.ts';

const PROVIDER = 'guest';
const CLIENTS = 5;
const KNOWN_MS_MAX = 60_000;
const COUNTRY = '?country_id=BR';

/** A guest in the cluster: what it was given, and what the operator may change about its party. */
export interface MovedIn {
  readonly guest: Guest;
  /** Seals the secret of its party with a key that the workers have, or with another one. */
  sealSecret(isPoisoned: boolean): Promise<void>;
}

/** Makes the guest's clients, devices, tokens and party, through the operator and the gateways. */
export async function moveGuestIn(cluster: TestCluster, partyUrl: string): Promise<MovedIn> {
  const url = cluster.gateways[0]?.url ?? '';
  const add = async (...grants: readonly string[]): Promise<Pick<GuestClient, 'clientId' | 'secret'>> => {
    const { client_id, client_secret } = valueOf(await clientCommand(cluster.operator, [
      'add', '--name', 'Guest', '--user', 'guest', ...grants,
    ])) as { client_id: string; client_secret: string };
    return { clientId: client_id, secret: client_secret };
  };
  const withToken = async (
    client: Pick<GuestClient, 'clientId' | 'secret'>, audience: string,
  ): Promise<GuestClient> => {
    const { body } = await until(() => callAt(url, '/oauth/token', {
      body: { audience, grant_type: 'client_credentials' },
      headers: { authorization: basic(client.clientId, client.secret) },
    }));
    return { ...client, token: String(body['access_token']), deviceId: '' };
  };
  const clients: GuestClient[] = [];
  for (let nth = 0; nth < CLIENTS; nth += 1) {
    const own = await add(
      '--provider', PROVIDER, '--audience', 'rtt,revoke',
      '--scope', 'rtt:devices,rtt:locations,rtt:events,query:read',
    );
    clients.push(await withDevice(url, await withToken(own, 'rtt'), nth));
  }
  const carrier = await add('--audience', 'logistic-feed', '--scope', 'tracking:push');
  const platform = await add(
    '--provider', PROVIDER, '--audience', 'rtt,authorizations',
    '--scope', 'rtt:commands,authorizations',
  );
  const { party_id } = valueOf(await partyCommand(cluster.operator, [
    'add', '--kind', 'provider', '--name', 'Guest', '--provider', PROVIDER, '--url', partyUrl,
    '--auth', 'client-credentials', '--token-url', `${partyUrl}/oauth/token`,
    '--auth-client', 'rastro',
  ])) as { party_id: string };
  const authorizationToken = (await withToken(platform, 'authorizations')).token;
  return {
    guest: {
      provider: PROVIDER, clients, carrier: await withToken(carrier, 'logistic-feed'),
      platform: { ...await withToken(platform, 'rtt'), authorizationToken },
    },
    async sealSecret(isPoisoned) {
      const vault = isPoisoned
        ? createVault(randomBytes(32).toString('base64')) : cluster.operator.vault;
      valueOf(await partyCommand({ ...cluster.operator, vault }, [
        'set', party_id, '--auth', 'client-credentials',
        '--token-url', `${partyUrl}/oauth/token`, '--auth-client', 'rastro',
      ]));
    },
  };
}

async function withDevice(url: string, client: GuestClient, nth: number): Promise<GuestClient> {
  const { token } = client;
  const { body } = await until(() => callAt(url, `/shipping/rtt/devices${COUNTRY}`, {
    token, body: {
      external_entity: { entity_id: `guest-${nth}`, entity_type: 'truck' },
      transport: { id: 6_000_000 + nth },
    },
  }));
  const deviceId = String(body['id']);
  await until(() => callAt(url, `/shipping/rtt/devices/${deviceId}/start_tracking${COUNTRY}`, { token }));
  return { ...client, deviceId };
}

/** Calls until it is let in: what the operator did comes to the gateways by the log. */
async function until(call: () => Promise<PlatformReply>): Promise<PlatformReply> {
  let reply = await call();
  await waitFor(async () => {
    if (reply.status < 300) return true;
    reply = await call();
    return reply.status < 300;
  }, { what: 'The guest', deadlineMs: KNOWN_MS_MAX, everyMs: 200 });
  return reply;
}

function valueOf({ exitCode, lines, value }: Report): unknown {
  if (exitCode !== 0) throw new Error(JSON.stringify(lines));
  return value;
}
