import { backupSettings } from './backup.ts';
import { gatewaysSettings } from './gateways.ts';
import { rebuildSettings } from './rebuild.ts';
import { workersSettings } from './workers.ts';

/**
 * Names that processes without this room read: the provider, the operator, scripts and tests. They
 * may be in one environment with ours, so they are known here, though not read.
 */
const namesOfOthers = [
  'RASTRO_URL', 'RASTRO_CLIENT_ID', 'RASTRO_CLIENT_SECRET', 'RASTRO_PROVIDER', 'RASTRO_COUNTRY',
  'RASTRO_PROVIDER_HOST', 'RASTRO_PROVIDER_PORT', 'RASTRO_PROVIDER_URL',
  'RASTRO_PROVIDER_COMMAND_TOKEN', 'RASTRO_PROVIDER_OTHER_TOKEN', 'RASTRO_PROVIDER_BACKOFF_MS_MAX',
  'RASTRO_PROVIDER_DRAIN_MS_MAX', 'RASTRO_REPLAY_DEVICES', 'RASTRO_REPLAY_SPEED',
  'RASTRO_REPLAY_SECONDS', 'RASTRO_REPLAY_SOURCES', 'RASTRO_REPLAY_REQUESTS_PER_SECOND_MAX',
  'RASTRO_LEDGER_FILE', 'RASTRO_CACHE_DIR', 'RASTRO_STATE_DIR', 'RASTRO_TOKEN',
  'RASTRO_PARTY_SECRET', 'RASTRO_PLATFORM_CLIENT_ID', 'RASTRO_PLATFORM_CLIENT_SECRET',
  'RASTRO_ACTOR', 'RASTRO_ANALYSTS_DIR', 'RASTRO_ARCHIVE_STORAGE', 'RASTRO_ARCHIVE_REGION',
  'RASTRO_ARCHIVE_ACCESS_KEY_ID', 'RASTRO_ARCHIVE_SECRET_ACCESS_KEY', 'RASTRO_TOKEN_URL',
  'RASTRO_FINAL_CODE', 'RASTRO_REPLAY_SHIPMENTS', 'RASTRO_DEMO_FILE',
] as const;

const PREFIXES_OF_TOOLS = ['RASTRO_TEST', 'RASTRO_BENCH', 'RASTRO_LOCAL'];

/** True for a name that some deployable or tool of this product reads. */
export function isKnownName(name: string): boolean {
  return name in gatewaysSettings
    || name in workersSettings
    || name in rebuildSettings
    || name in backupSettings
    || namesOfOthers.some((known) => known === name)
    || PREFIXES_OF_TOOLS.some((prefix) => name.startsWith(prefix));
}
