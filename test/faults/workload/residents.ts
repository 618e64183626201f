import { keys, tagOfClient } from '../../../services/adapters/redis/keys.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import { holdsKey } from '../state/cluster-state.ts';
import type { Credential } from './tokens.ts';

/** The clients that live in a cluster: providers, two carriers and the platform. */
export interface Residents {
  readonly providers: readonly Credential[];
  readonly carrier: Credential;
  /** A carrier that notifies about shipments of the other one. */
  readonly stranger: Credential;
  readonly platform: Credential;
  /** Reads how calls of all clients ended, and sends nothing. */
  readonly reader: Credential;
}

/** Names of the providers. */
export const PROVIDERS = ['acme', 'globex'] as const;

const KNOWN_MS_MAX = 60_000;

/** Makes the clients and the parties through the operator's commands, as people would. */
export async function moveIn(
  cluster: TestCluster, partyUrlOf: (provider: string) => string,
  moreProviders: readonly string[] = [],
): Promise<Residents> {
  const add = async (provider: string, ...grants: readonly string[]): Promise<Credential> => {
    const report = await clientCommand(cluster.operator, [
      'add', '--name', `Resident ${provider}`, ...grants,
      ...(provider === '' ? [] : ['--provider', provider]),
    ]);
    if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
    return { ...(report.value as Credential), provider };
  };
  const providers: Credential[] = [];
  for (const name of [...PROVIDERS, ...moreProviders]) {
    providers.push(await add(name, '--audience', 'rtt,revoke'));
  }
  const [carrier, stranger] = [
    await add('', '--audience', 'logistic-feed', '--scope', 'tracking:push'),
    await add('', '--audience', 'logistic-feed', '--scope', 'tracking:push'),
  ];
  const reader = await add('', '--audience', 'platform', '--scope', 'platform:read');
  // A platform that may command both providers.
  const report = await clientCommand(cluster.operator, [
    'add', '--name', 'Platform', '--provider', PROVIDERS.join(','),
    '--audience', 'rtt,authorizations', '--scope', 'rtt:commands,authorizations',
  ]);
  if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
  const platform = { ...(report.value as Credential), provider: PROVIDERS[0] };
  for (const provider of PROVIDERS) {
    const added = await partyCommand(cluster.operator, [
      'add', '--kind', 'provider', '--name', `Party ${provider}`, '--provider', provider,
      '--url', partyUrlOf(provider), '--auth', 'static',
    ]);
    if (added.exitCode !== 0) throw new Error(added.lines.join(' '));
  }
  for (const { client_id } of [...providers, carrier, stranger, platform, reader]) {
    const key = keys.client(tagOfClient(client_id), client_id);
    await waitFor(() => holdsKey(cluster.state, key), {
      what: 'The client in the state store', deadlineMs: KNOWN_MS_MAX,
    });
  }
  return { providers, carrier, stranger, platform, reader };
}
