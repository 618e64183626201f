import type { AccessStates } from '../../kernel/access.ts';
import type { DeviceDirectory } from '../../kernel/devices.ts';
import { SHARDS } from '../../kernel/limits.ts';

/** Where clients and their providers are found. */
export interface KnownProviderPorts {
  readonly directory: Pick<DeviceDirectory, 'clientsOf'>;
  readonly access: Pick<AccessStates, 'findClient'>;
}

const CLIENTS_AT_ONCE = 100;

/** Whether a client that has registered a device sends as this provider. */
export async function isKnownProvider(
  { directory, access }: KnownProviderPorts, provider: string,
): Promise<boolean> {
  for (let shard = 0; shard < SHARDS; shard += 1) {
    for (let after: string | undefined; ;) {
      const ids = await directory.clientsOf(shard, after, CLIENTS_AT_ONCE);
      const clients = await Promise.all(ids.map((id) => access.findClient(id)));
      if (clients.some((client) => client?.providers.includes(provider) === true)) return true;
      if (ids.length < CLIENTS_AT_ONCE) break;
      after = ids.at(-1);
    }
  }
  return false;
}
