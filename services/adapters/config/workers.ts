import { clickHouseTlsSettings } from './read-tls.ts';
import { REPLICA_NAME, replicasSettings } from './replicas.ts';
import type { Settings } from './setting.ts';
import { sharedSettings } from './shared.ts';

const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;

/** Settings of `services/workers/main.ts`. */
export const workersSettings = {
  ...sharedSettings,
  CLICKHOUSE_URL: {
    type: 'string', pattern: '^https?://', description: 'Address of the analytical store.',
  },
  ...clickHouseTlsSettings,
  ...replicasSettings,
  CLICKHOUSE_DATABASE: {
    type: 'string', default: 'tracking', minLength: 1, description: 'Database of the tables.',
  },
  CLICKHOUSE_INGEST_USER: {
    type: 'string', default: 'ingest', description: 'Who inserts rows.',
  },
  CLICKHOUSE_INGEST_PASSWORD: {
    type: 'string', default: '', secret: true, description: 'Password of who inserts rows.',
  },
  RASTRO_CLICKHOUSE_REPLICA: {
    type: 'string', optional: true, pattern: REPLICA_NAME,
    description: 'Which of CLICKHOUSE_REPLICAS the table writers fill; absent, the first replica.',
  },
  RASTRO_WORKERS_ADMIN_PORT: {
    type: 'integer', default: 9081, minimum: 0, maximum: 65_535,
    description: 'Port of /healthz, /readyz and /metrics; 0 takes any free one.',
  },
  RASTRO_INSERT_LOCATIONS_MAX: {
    ...count, default: 50_000, description: 'Locations, events or deliveries of one insert.',
  },
  RASTRO_INSERT_BYTES_MAX: {
    ...count, default: 67_108_864, description: 'Bytes of one insert.',
  },
  RASTRO_INSERT_LINGER_MS: {
    type: 'integer', minimum: 0, maximum: 60_000, default: 800,
    description: 'How long records are collected for one insert, from the first of them.',
  },
  RASTRO_BACKUP_AGE_SECONDS_MAX: {
    type: 'integer', minimum: 3_600, maximum: 604_800, default: 129_600,
    description: 'Age of the newest backup of the tables from which on an alarm rings.',
  },
  RASTRO_VAULT_KEY: {
    type: 'string', optional: true, secret: true, minLength: 43,
    description: 'Keys of sealed secrets of parties: 32 bytes in base64, newest first.',
  },
  RASTRO_PARTY_INSECURE: {
    type: 'boolean', default: false,
    description: 'True when parties may be called by plain http on other machines.',
  },
  RASTRO_PARTY_PRIVATE: {
    type: 'boolean', default: false,
    description: 'True when parties may have private or link-local addresses.',
  },
  RASTRO_PARTY_LOOPBACK: {
    type: 'boolean', default: true,
    description: 'False in production: nothing on this machine may be called as a party.',
  },
  RASTRO_PARTY_REQUEST_MS_MAX: {
    type: 'integer', minimum: 100, maximum: 60_000, default: 10_000,
    description: 'Longest exchange with a provider.',
  },
  RASTRO_COMMANDS_PER_PROVIDER_MAX: {
    type: 'integer', minimum: 1, maximum: 1_000, default: 8,
    description: 'Commands that are sent to one provider at once.',
  },
  RASTRO_COMMANDS_PENDING_MAX: {
    ...count, default: 20_000,
    description: 'Commands of one provider that are held in memory; the log keeps the rest.',
  },
  RASTRO_COMMANDS_BACKOFF_FIRST_MS: {
    type: 'integer', minimum: 1, maximum: 60_000, default: 1_000,
    description: 'First wait before a command is sent again; it doubles.',
  },
  RASTRO_COMMANDS_BACKOFF_MS_MAX: {
    type: 'integer', minimum: 1, maximum: 3_600_000, default: 300_000,
    description: 'Longest wait before a command is sent again.',
  },
  RASTRO_COMMANDS_THROTTLED_MS: {
    type: 'integer', minimum: 1, maximum: 3_600_000, default: 300_000,
    description: 'Wait after a 429 of a provider.',
  },
  RASTRO_COMMANDS_LEASE_MS: {
    type: 'integer', minimum: 1_000, maximum: 600_000, default: 20_000,
    description: 'How long the right to send commands holds without renewal.',
  },
  RASTRO_AUTHORIZER_POLL_MS: {
    type: 'integer', minimum: 10, maximum: 60_000, default: 250,
    description: 'How often the authorizer looks for authorizations that are due.',
  },
  RASTRO_AUTHORIZATION_TRIES_MAX: {
    type: 'integer', minimum: 1, maximum: 1_000, default: 10,
    description: 'Tries at a carrier that agreed on no schema of its own.',
  },
  RASTRO_AUTHORIZATION_FIRST_WAIT_SECONDS: {
    type: 'number', minimum: 0.01, maximum: 86_400, default: 30,
    description: 'First wait before a carrier is asked again; it doubles.',
  },
  RASTRO_AUTHORIZATION_WAIT_SECONDS_MAX: {
    type: 'number', minimum: 0.01, maximum: 604_800, default: 3_600,
    description: 'Longest wait before a carrier is asked again.',
  },
  RASTRO_PULLER_POLL_MS: {
    type: 'integer', minimum: 10, maximum: 60_000, default: 250,
    description: 'How often the puller looks for feeds that are due.',
  },
  RASTRO_PULLER_PERIOD_MS: {
    type: 'integer', minimum: 100, maximum: 86_400_000, default: 300_000,
    description: 'How often the feed of a shipment is polled.',
  },
  RASTRO_PULLER_UNKNOWN_MS: {
    type: 'integer', minimum: 100, maximum: 86_400_000, default: 900_000,
    description: 'How often a feed is polled that its carrier does not know yet.',
  },
  RASTRO_PULLER_JITTER_RATIO: {
    type: 'number', minimum: 0, maximum: 1, default: 0.2,
    description: 'Share by which waits between polls are longer or shorter at random.',
  },
  RASTRO_PULLER_BACKOFF_FIRST_MS: {
    type: 'integer', minimum: 100, maximum: 86_400_000, default: 300_000,
    description: 'First wait after a poll that failed; it doubles.',
  },
  RASTRO_PULLER_BACKOFF_MS_MAX: {
    type: 'integer', minimum: 100, maximum: 86_400_000, default: 3_600_000,
    description: 'Longest wait after a poll that failed.',
  },
  RASTRO_PULLER_PAGE_ITEMS_MAX: {
    type: 'integer', minimum: 1, maximum: 500, default: 50,
    description: 'Notifications that are asked for at a time.',
  },
  RASTRO_PULLER_APPEND_MS_MAX: {
    type: 'integer', minimum: 1_000, maximum: 300_000, default: 20_000,
    description: 'How long a page may take into the log before it is read again.',
  },
  RASTRO_PULLER_IN_FLIGHT_MAX: {
    type: 'integer', minimum: 1, maximum: 1_000, default: 16,
    description: 'Feeds that are polled at once; each may hold a page of 6 MiB.',
  },
  RASTRO_PULLER_PER_CARRIER_MAX: {
    type: 'integer', minimum: 1, maximum: 1_000, default: 4,
    description: 'Feeds of one carrier that are polled at once.',
  },
  RASTRO_PERSONAL_KEY: {
    type: 'string', optional: true, secret: true,
    pattern: '^[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=(,[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=)*$',
    description: 'Keys of personal data, as those of the gateways.',
  },
  RASTRO_IMAGE_DIR: {
    type: 'string', default: '.rastro/images', minLength: 1,
    description: 'Folder of proofs of delivery, shared with the gateways.',
  },
  RASTRO_IMAGE_KEY: {
    type: 'string', optional: true, secret: true,
    pattern: '^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$',
    description: 'Keys of proofs of delivery, as those of the gateways.',
  },
  RASTRO_REBUILD_LEASE_MS: {
    type: 'integer', minimum: 1_000, maximum: 600_000, default: 30_000,
    description: 'How long the right to rebuild the state store holds without renewal.',
  },
} as const satisfies Settings;
