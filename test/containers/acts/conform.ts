import type { Role } from '../../../services/conformance/check.ts';
import { ALL_GRANTS } from '../../../infra/local/processes/demo-client.ts';
import { readEnv } from '../env.ts';
import { accountOf } from './account.ts';
import type { Act, Finding, Stage } from './act.ts';
import { composeUp } from './compose.ts';

const ROLES: readonly Role[] = ['receiver', 'carrier', 'provider'];
const KIT_MS_MAX = 900_000;

/** What runs in containers keeps the contract, and keeps what it accepted. */
export const conform: Act = {
  name: 'conformance',
  does: 'the conformance kit in all three roles by both profiles, then the ledger of the drive',
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

async function examine(stage: Stage): Promise<Finding> {
  const clients: object[] = [];
  for (const role of ROLES) clients.push({ role, ...await addClient(stage, role) });
  const commandToken = readEnv(stage)['RASTRO_PROVIDER_COMMAND_TOKEN'];
  const { lines, isConforming, wrong } = await stage.inside<Conformance>(
    'conform.ts', { clients, commandToken }, KIT_MS_MAX,
  );
  const account = await accountOf(stage);
  return {
    seen: `${lines.join('; ')}; ${account.seen}`,
    complaints: [
      ...(isConforming ? [] : [`does not conform: ${lines.join('; ')}`, ...wrong]),
      ...account.complaints,
    ],
  };
}

/** A client by the operator's command line, where an operator finds it: in a container. */
async function addClient(stage: Stage, name: string): Promise<object> {
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(await stage.compose([
    'exec', '--no-TTY', 'gateways', 'node', 'services/cli/main.ts', 'client', 'add', '--json',
    '--name', name, '--provider', 'demo',
    '--audience', ALL_GRANTS.audiences.join(','), '--scope', ALL_GRANTS.scopes.join(','),
  ])) as { readonly client_id: string; readonly client_secret: string };
  return { clientId, clientSecret };
}
