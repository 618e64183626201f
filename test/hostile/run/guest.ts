import { randomBytes } from 'node:crypto';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import { webhookCommand } from '../../../services/cli/webhook/command.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import { callAt } from '../../support/platform-calls.ts';
import type { Guest, GuestClient } from '../offender.ts';
import { valueOf } from '../../support/report-value.ts';
import { addClient, tokenOf, until, type NewClient } from './new-client.ts';

const PROVIDER = 'guest';
const CLIENTS = 5;
const COUNTRY = '?country_id=BR';

/** A guest in the cluster: what it was given, and what the operator may change about its party. */
export interface MovedIn {
  readonly guest: Guest;
  /** Seals the secret of its party with a key that the workers have, or with another one. */
  sealSecret(isPoisoned: boolean): Promise<void>;
}

/**
 * Makes the guest's clients, devices, tokens, webhooks and party, through the operator and the
 * gateways. Its party takes the posts of its webhooks too.
 */
export async function moveGuestIn(cluster: TestCluster, partyUrl: string): Promise<MovedIn> {
  const url = cluster.gateways[0]?.url ?? '';
  const add = (...grants: readonly string[]): Promise<NewClient> => (
    addClient(cluster.operator, ['--name', 'Guest', '--user', 'guest', ...grants])
  );
  const withToken = async (client: NewClient, audience: string): Promise<GuestClient> => (
    { ...client, token: await tokenOf(url, client, audience), deviceId: '' }
  );
  const clients: GuestClient[] = [];
  for (let nth = 0; nth < CLIENTS; nth += 1) {
    const own = await add(
      '--provider', PROVIDER, '--audience', 'rtt,revoke',
      '--scope', 'rtt:devices,rtt:locations,rtt:events,query:read',
    );
    clients.push(await withDevice(url, await withToken(own, 'rtt'), nth));
    valueOf(await webhookCommand(cluster.operator, [
      'add', '--client', own.clientId, '--name', 'Guest', '--kind', 'device',
      '--url', `${partyUrl}/webhook`,
    ]));
  }
  const carrier = await add('--audience', 'logistic-feed', '--scope', 'tracking:push');
  const platform = await add(
    '--provider', PROVIDER, '--audience', 'rtt,authorizations',
    '--scope', 'rtt:commands,authorizations',
  );
  const { party_id } = valueOf(await partyCommand(cluster.operator, [
    'add', '--kind', 'provider', '--name', 'Guest', '--provider', PROVIDER, '--url', partyUrl,
    '--auth', 'client-credentials', '--token-url', `${partyUrl}/oauth/token`,
    '--auth-client', 'rastro', '--client', clients[0]?.clientId ?? '',
  ])) as { party_id: string };
  const authorizationToken = (await withToken(platform, 'authorizations')).token;
  return {
    guest: {
      provider: PROVIDER, partyId: party_id, clients, carrier: await withToken(carrier, 'logistic-feed'),
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
