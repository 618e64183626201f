import { backupSettings } from './backup.ts';
import { gatewaysSettings } from './gateways.ts';
import { rebuildSettings } from './rebuild.ts';
import type { Settings } from './setting.ts';
import { workersSettings } from './workers.ts';

const text = { type: 'string', optional: true } as const;
const secret = { ...text, secret: true } as const;

/**
 * Settings of `services/provider/main.ts`, which reads them in its own way: it is the other side of
 * the interface. `npm start` gives all of them.
 */
export const providerSettings = {
  RASTRO_URL: {
    type: 'string', pattern: '^https?://', description: 'Address of the receiver to send to.',
  },
  RASTRO_CLIENT_ID: { type: 'string', description: 'Client that it acts as.' },
  RASTRO_CLIENT_SECRET: { type: 'string', secret: true, description: 'Secret of that client.' },
  RASTRO_PROVIDER: { type: 'string', description: 'Name of the provider in paths.' },
  RASTRO_COUNTRY: { type: 'string', default: 'US', description: 'Country to send for.' },
  RASTRO_PROVIDER_HOST: {
    type: 'string', default: '127.0.0.1', description: 'Address where it takes commands.',
  },
  RASTRO_PROVIDER_PORT: {
    type: 'integer', default: 0, minimum: 0, maximum: 65_535,
    description: 'Port where it takes commands; 0 takes any free one.',
  },
  RASTRO_PROVIDER_COMMAND_TOKEN: {
    type: 'string', secret: true, description: 'Token that a command must carry.',
  },
  RASTRO_PROVIDER_OTHER_TOKEN: { ...secret, description: 'Token that is known and may not command.' },
  RASTRO_PROVIDER_BACKOFF_MS_MAX: {
    type: 'integer', default: 30_000, minimum: 1, maximum: 3_600_000,
    description: 'Longest wait before a call that failed is repeated.',
  },
  RASTRO_PROVIDER_DRAIN_MS_MAX: {
    type: 'integer', default: 20_000, minimum: 0, maximum: 3_600_000,
    description: 'How long it may finish what it has in hand.',
  },
  RASTRO_REPLAY_DEVICES: {
    type: 'integer', default: 0, minimum: 0, maximum: 50_000, description: 'Devices of the replay.',
  },
  RASTRO_REPLAY_SHIPMENTS: {
    type: 'integer', default: 0, minimum: 0, maximum: 10_000,
    description: 'Shipments in progress at the same time.',
  },
  RASTRO_REPLAY_SPEED: {
    type: 'number', default: 1, minimum: 0.01, maximum: 10_000,
    description: 'How much faster than the road.',
  },
  RASTRO_REPLAY_SECONDS: {
    type: 'number', default: 0, minimum: 0, maximum: 1_000_000_000,
    description: 'Length of the run; 0 runs until it is stopped.',
  },
  RASTRO_REPLAY_SOURCES: {
    type: 'list', default: [], description: 'Recorded tracks to replay; all when empty.',
  },
  RASTRO_REPLAY_REQUESTS_PER_SECOND_MAX: {
    type: 'number', default: 150, minimum: 1, maximum: 1_000_000,
    description: 'Most calls of all its devices.',
  },
  RASTRO_LEDGER_FILE: { ...text, description: 'File where it writes down what it sent.' },
} as const satisfies Settings;

/** Settings that the command line alone reads; it also reads many of the other programs. */
export const commandLineSettings = {
  ANALYST_USER: { ...text, description: 'As whom `rastro export` and `rastro archive` read.' },
  ANALYST_PASSWORD: { ...secret, description: 'Password of that user.' },
  RASTRO_ACTOR: { ...text, description: 'Who asks, for the audit; the user of the system when absent.' },
  RASTRO_PARTY_SECRET: { ...secret, description: 'Secret of a party, for `rastro party add | set`.' },
  RASTRO_ANALYSTS_DIR: { ...text, description: 'Folder of the users of ClickHouse, for `rastro analyst`.' },
  RASTRO_ARCHIVE_STORAGE: {
    ...text, pattern: '^(/|https?://[^/]+/[^/]+)',
    description: 'Where the archive is: an absolute folder, or https://host/bucket/path/.',
  },
  RASTRO_ARCHIVE_REGION: {
    type: 'string', default: 'us-east-1', description: 'Region of that bucket.',
  },
  RASTRO_ARCHIVE_ACCESS_KEY_ID: { ...text, description: 'Who may read and write in that bucket.' },
  RASTRO_ARCHIVE_SECRET_ACCESS_KEY: { ...secret, description: 'The key of who may do that.' },
  RASTRO_TOKEN_URL: {
    ...text, description: 'Who gives tokens, for `rastro conformance`; RASTRO_URL when absent.',
  },
  RASTRO_FINAL_CODE: {
    ...text, description: 'A code that ends a shipment at the system that `rastro conformance` examines.',
  },
} as const satisfies Settings;

/** Settings of `npm start`, of the other scripts and of the demonstration in containers. */
export const toolSettings = {
  RASTRO_CACHE_DIR: {
    type: 'string', default: '.rastro/cache', description: 'Folder of what scripts bring once.',
  },
  RASTRO_DEMO_FILE: {
    type: 'string', default: 'client.json',
    description: 'File of the client that the demonstration in containers made.',
  },
  RASTRO_PLATFORM_CLIENT_ID: {
    ...text, description: 'Written by `npm start`: the client that commands its provider.',
  },
  RASTRO_PLATFORM_CLIENT_SECRET: { ...secret, description: 'Written by `npm start`: its secret.' },
  RASTRO_PROVIDER_URL: {
    ...text, description: 'Written by `npm start`: where its provider takes commands.',
  },
  RASTRO_CARRIER: {
    ...text, description: 'Party of the carrier that the collection of Bruno asks for authorizations.',
  },
} as const satisfies Settings;

const PREFIXES_OF_TOOLS = ['RASTRO_TEST', 'RASTRO_BENCH', 'RASTRO_LOCAL'];
/** All may be in one environment, so every program knows the names of the others. */
const known: readonly Settings[] = [
  gatewaysSettings, workersSettings, rebuildSettings, backupSettings,
  providerSettings, commandLineSettings, toolSettings,
];

/** True for a name that some deployable or tool of this product reads. */
export function isKnownName(name: string): boolean {
  return known.some((settings) => name in settings)
    || PREFIXES_OF_TOOLS.some((prefix) => name.startsWith(prefix));
}
