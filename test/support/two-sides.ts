import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthorizationRequest } from '../../schemas/generated/types.ts';
import { openOperator } from '../../services/cli/assemble.ts';
import { authorizationCommand } from '../../services/cli/authorization/command.ts';
import { partyCommand } from '../../services/cli/party/command.ts';
import type { OperatorPorts, Report } from '../../services/cli/ports.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { PERSONAL_KEY } from './fake-personal.ts';
import { CHOSEN_CLIENT } from './kafka-logs.ts';
import { startTestEnv, type TestClient, type TestEnv } from './platform.ts';

// What a killed process had in hand is due again when its lease ends: with these limits in 21 s
// for a call and in 15 s for a feed, which is well within the time that a test waits.
const SOON = {
  RASTRO_PARTY_REQUEST_MS_MAX: '2000', RASTRO_PULLER_APPEND_MS_MAX: '2000',
  RASTRO_PULLER_POLL_MS: '50', RASTRO_PULLER_PERIOD_MS: '300', RASTRO_PULLER_UNKNOWN_MS: '300',
  RASTRO_PULLER_BACKOFF_FIRST_MS: '300', RASTRO_PULLER_BACKOFF_MS_MAX: '1000',
  RASTRO_AUTHORIZER_POLL_MS: '50', RASTRO_REBUILD_LEASE_MS: '3000',
};

/** Two deployments of Rastro: a carrier's, and a platform's that has it as a party. */
export interface TwoSides {
  readonly carrier: TestEnv;
  readonly platform: TestEnv;
  /** The carrier's client at its own deployment; it pushes. */
  readonly pusher: TestClient;
  /** The platform's client at the carrier's deployment; it authorizes and pulls. */
  readonly asker: TestClient;
  /** The client at the platform's deployment for which shipments are authorized. */
  readonly reader: TestClient;
  /** The client at the platform's deployment that is a further party with the carrier's address. */
  readonly examined: TestClient;
  /** `rastro authorization send` at the platform's deployment. */
  authorize(request: AuthorizationRequest): Promise<void>;
  close(): Promise<void>;
}

/** Starts both, each on a log, a state store and tables of its own, and introduces them. */
export async function startTwoSides(): Promise<TwoSides> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-two-sides-'));
  const key = randomBytes(32).toString('base64');
  const images = { RASTRO_IMAGE_DIR: dir, RASTRO_IMAGE_KEY: key };
  const [carrier, platform] = await Promise.all([
    startTestEnv({ gatewayEnv: images }),
    startTestEnv({
      gatewayEnv: images,
      partiesEnv: { ...images, ...SOON, RASTRO_VAULT_KEY: key },
    }),
  ]);
  const asker = await carrier.addClient(
    '--audience', 'authorizations,tracking-pull', '--scope', 'authorizations,tracking:read,query:read',
  );
  const pusher = await carrier.addClient(
    '--audience', 'logistic-feed,tracking-pull', '--scope', 'tracking:push,tracking:read,query:read',
  );
  const reader = await platform.addClient(
    '--audience', 'tracking-pull', '--scope', 'tracking:read,query:read',
  );
  const examined = await platform.addClient(
    '--audience', 'logistic-feed', '--scope', 'tracking:push',
  );
  const { ports, close } = await openOperator({
    brokers: platform.env.KAFKA_BROKERS.split(','), kafkaClient: CHOSEN_CLIENT,
    registryUrl: platform.env.SCHEMA_REGISTRY_URL, secretPepper: platform.secretPepper,
    vaultKey: key, partySecret: asker.client_secret, personalKey: PERSONAL_KEY,
  }, silentSignals);
  const party = await addCarrier(ports, carrier.urls[0], asker.client_id, '--feed');
  await addCarrier(ports, carrier.urls[0], asker.client_id, '--client', examined.client_id);
  return {
    carrier, platform, pusher, asker, reader, examined,
    async authorize(request) {
      good(await authorizationCommand(ports, [
        'send', party, '--client', reader.client_id, '--body', JSON.stringify(request),
      ]));
    },
    async close() {
      await close();
      await Promise.all([carrier.close(), platform.close()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function addCarrier(
  ports: OperatorPorts, url: string, clientId: string, ...more: readonly string[]
): Promise<string> {
  const value = good(await partyCommand(ports, [
    'add', '--kind', 'carrier', '--name', 'Carrier', '--url', url, ...more,
    '--auth', 'client-credentials', '--token-url', `${url}/oauth/token`,
    '--auth-client', clientId, '--audience', 'authorizations',
    '--retry-tries', '100', '--retry-first', '0.3', '--retry-max', '1',
  ]));
  return (value as { party_id: string }).party_id;
}

function good({ exitCode, value, lines }: Report): unknown {
  if (exitCode !== 0) throw new Error(JSON.stringify(lines));
  return value;
}
