import { join } from 'node:path';
import { openOperator, type OperatorConfig } from '../../../services/cli/assemble.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import type { Signals } from '../../../services/kernel/signals.ts';
import { kept } from './secrets.ts';

/** The client that the reference provider acts as. */
export interface ProviderIdentity {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: string;
  readonly country: string;
}

/** Provider name and home country of the demonstration. */
export const DEMO = { provider: 'demo', country: 'US' } as const;

/** What a demonstration client may do. */
export interface DemoGrants {
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
}

/** What the reference provider does: it drives, and is the carrier of shipments. */
export const PROVIDER_GRANTS: DemoGrants = {
  audiences: ['rtt', 'revoke', 'authorizations', 'logistic-feed'],
  scopes: ['rtt:devices', 'rtt:locations', 'rtt:events', 'authorizations', 'tracking:push'],
};

/** Everything, for a private system whose client plays every part. */
export const ALL_GRANTS: DemoGrants = {
  audiences: [...PROVIDER_GRANTS.audiences, 'tracking-pull', 'platform'],
  scopes: [
    ...PROVIDER_GRANTS.scopes, 'rtt:commands', 'tracking:read', 'query:read', 'admin', 'pii:read',
    'platform:read', 'platform:write',
  ],
};

interface AddedClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly scopes: readonly string[];
}

/**
 * The ready-to-use credential of this data directory: made through the log like any other client,
 * the first time, and kept beside the data. One of an older version gets these grants.
 */
export async function demoClient(
  dir: string, config: OperatorConfig, signals: Signals, { audiences, scopes }: DemoGrants,
): Promise<ProviderIdentity> {
  const granted = ['--audience', audiences.join(','), '--scope', scopes.join(',')];
  const operate = async (args: readonly string[]): Promise<unknown> => {
    const { ports, close } = await openOperator(config, signals);
    try {
      return (await clientCommand(ports, args)).value;
    } finally {
      await close();
    }
  };
  const added = await kept(join(dir, 'demo-client.json'), async () =>
    await operate(['add', '--name', 'Demo', '--provider', DEMO.provider, ...granted]) as AddedClient);
  if (added.scopes.toSorted().join() !== scopes.toSorted().join()) {
    await operate(['set', added.client_id, ...granted]);
  }
  return { clientId: added.client_id, clientSecret: added.client_secret, ...DEMO };
}

/** Who plays the platform in the demonstration: may command the demonstration's provider. */
export interface PlatformIdentity {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Where the reference provider takes commands, and the client that it calls the platform with. */
export interface DemoProviderAddress {
  readonly providerUrl: string;
  readonly providerClientId: string;
}

/**
 * The platform's own client, and its party: the reference provider, with the token that it wants
 * for commands. Made through the log the first time, and kept beside the data.
 */
export async function demoPlatform(
  dir: string, config: OperatorConfig, signals: Signals,
  { providerUrl, providerClientId }: DemoProviderAddress,
): Promise<PlatformIdentity> {
  const added = await kept(join(dir, 'demo-platform.json'), async () => {
    const { ports, close } = await openOperator(config, signals);
    try {
      await partyCommand(ports, [
        'add', '--kind', 'provider', '--name', 'Demo', '--provider', DEMO.provider,
        '--url', providerUrl, '--auth', 'static', '--client', providerClientId,
      ]);
      const report = await clientCommand(ports, [
        'add', '--name', 'Platform', '--provider', DEMO.provider,
        '--audience', 'rtt', '--scope', 'rtt:commands',
      ]);
      return report.value as AddedClient;
    } finally {
      await close();
    }
  });
  return { clientId: added.client_id, clientSecret: added.client_secret };
}
