import { join } from 'node:path';
import { openOperator, type OperatorConfig } from '../../services/operator/assemble.ts';
import { clientCommand } from '../../services/operator/commands/client.ts';
import type { Signals } from '../../services/kernel/signals.ts';
import { kept } from './secrets.ts';
import type { ProviderIdentity } from './services.ts';

/** Provider name and home country of the demonstration. */
export const DEMO = { provider: 'demo', country: 'US' } as const;

interface AddedClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * The ready-to-use credential of this data directory: made through the log like any other client,
 * the first time, and kept beside the data.
 */
export async function demoClient(
  dir: string, config: OperatorConfig, signals: Signals,
): Promise<ProviderIdentity> {
  const added = await kept(join(dir, 'demo-client.json'), async () => {
    const { ports, close } = await openOperator(config, signals);
    try {
      const report = await clientCommand(ports, [
        'add', '--name', 'Demo', '--provider', DEMO.provider,
        '--audience', 'rtt', '--audience', 'revoke',
        '--scope', 'rtt:devices,rtt:locations,rtt:events',
      ]);
      return report.value as AddedClient;
    } finally {
      await close();
    }
  });
  return { clientId: added.client_id, clientSecret: added.client_secret, ...DEMO };
}
