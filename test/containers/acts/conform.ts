import type { Role } from '../../../services/conformance/check.ts';
import { ALL_GRANTS } from '../../../infra/local/processes/demo-client.ts';
import { readEnv } from '../env.ts';
import { accountOf } from './account.ts';
import type { Act, ActFinding, ContainerStage } from './act.ts';
import { bringUp } from './bring-up.ts';
import { composeUp } from './compose.ts';

const ROLES: readonly Role[] = ['receiver', 'carrier', 'provider'];
const KIT_MS_MAX = 900_000;
const FORGET = 'require("node:fs").rmSync("/demo/ledger.jsonl")';

/** What runs in containers keeps the contract, and keeps what it accepted. */
export const conform: Act = {
  name: 'conformance',
  does: 'the ledger of the drive, then the conformance kit in all three roles by both profiles',
  run: examine,
  offences: [{
    name: 'a stored location is deleted',
    async seed(stage) {
      const password = readEnv(stage)['CLICKHOUSE_ADMIN_PASSWORD'];
      await stage.inside('lose-row.ts', { user: 'admin', password });
      return async () => {
        await stage.compose(['down', '--volumes', '--remove-orphans']);
        await composeUp.run(stage);
      };
    },
    said: /lost=1\b/,
  }],
};

interface Conformance {
  readonly lines: readonly string[];
  readonly isConforming: boolean;
  readonly wrong: readonly string[];
}

async function examine(stage: ContainerStage): Promise<ActFinding> {
  const account = await accountOf(stage);
  await bringUp(stage, ['demo']);
  const { lines, isConforming, wrong } = await kit(stage);
  // What the kit stops is refused then, which is in the ledger too: it is no account of a drive.
  await stage.compose(['stop', '--timeout', '30', 'demo']);
  await stage.compose(['run', '--rm', '--no-deps', '--no-TTY', 'demo', '-e', FORGET]);
  return {
    seen: `${account.seen}; ${lines.join('; ')}`,
    complaints: [
      ...account.complaints,
      ...(isConforming ? [] : [`does not conform: ${lines.join('; ')}`, ...wrong]),
    ],
  };
}

async function kit(stage: ContainerStage): Promise<Conformance> {
  const commandToken = readEnv(stage)['RASTRO_PROVIDER_COMMAND_TOKEN'] ?? '';
  await addParty(stage, commandToken);
  const clients: object[] = [];
  for (const role of ROLES) clients.push({ role, ...await addClient(stage, role) });
  return stage.inside<Conformance>('conform.ts', { clients, commandToken }, KIT_MS_MAX);
}

/**
 * The provider as a party, so that commands to it are taken and the kit can answer them. No
 * container has all that the command line needs: workers have the key of the vault.
 */
async function addParty(stage: ContainerStage, token: string): Promise<void> {
  await stage.compose([
    'exec', '--no-TTY', '--env', `RASTRO_PARTY_SECRET=${token}`,
    '--env', `RASTRO_SECRET_PEPPER=${readEnv(stage)['RASTRO_SECRET_PEPPER'] ?? ''}`, 'workers', 'node',
    'services/cli/main.ts', 'party', 'add', '--kind', 'provider', '--name', 'Demo',
    '--provider', 'demo', '--url', 'http://demo:8090', '--auth', 'static',
  ]);
}

/** A client by the operator's command line, where an operator finds it: in a container. */
async function addClient(stage: ContainerStage, name: string): Promise<object> {
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(await stage.compose([
    'exec', '--no-TTY', 'gateways', 'node', 'services/cli/main.ts', 'client', 'add', '--json',
    '--name', name, '--provider', 'demo',
    '--audience', ALL_GRANTS.audiences.join(','), '--scope', ALL_GRANTS.scopes.join(','),
  ])) as { readonly client_id: string; readonly client_secret: string };
  return { clientId, clientSecret };
}
