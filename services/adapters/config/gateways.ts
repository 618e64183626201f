import { clickHouseTlsSettings } from './read-tls.ts';
import { replicasSettings } from './replicas.ts';
import type { Settings } from './setting.ts';
import { sharedSettings } from './shared.ts';

const milliseconds = (least: number, most: number) =>
  ({ type: 'integer', minimum: least, maximum: most }) as const;
const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;

/** Settings of `services/gateways/main.ts`. */
export const gatewaysSettings = {
  ...sharedSettings,
  RASTRO_HTTP_HOST: {
    type: 'string', default: '127.0.0.1', minLength: 1, description: 'Address to listen on.',
  },
  RASTRO_HTTP_PORT: {
    type: 'integer', default: 8080, minimum: 0, maximum: 65_535,
    description: 'Port of the interface; 0 takes any free one.',
  },
  RASTRO_TRUSTED_PROXIES: {
    type: 'list', default: [],
    description: 'Networks of balancers whose X-Forwarded-For names the caller, or none.',
  },
  RASTRO_GATEWAYS_ADMIN_PORT: {
    type: 'integer', default: 9080, minimum: 0, maximum: 65_535,
    description: 'Port of /healthz, /readyz and /metrics; 0 takes any free one.',
  },
  RASTRO_SECRET_PEPPER: {
    type: 'string', minLength: 16, secret: true,
    description: 'Key of the hashes of client secrets; changing it ends every secret.',
  },
  RASTRO_TRACKING_NUMBER_KEY: {
    type: 'string', minLength: 32, secret: true, optional: true,
    description: 'Key that tracking numbers are made with; RASTRO_SECRET_PEPPER when absent.',
  },
  RASTRO_PERSONAL_KEY: {
    type: 'string', secret: true,
    pattern: '^[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=(,[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=)*$',
    description: 'Keys of personal data, name:base64 of 32 bytes, newest first, with commas.',
  },
  RASTRO_IMAGE_DIR: {
    type: 'string', default: '.rastro/images', minLength: 1,
    description: 'Folder of proofs of delivery, shared by all gateways.',
  },
  RASTRO_IMAGE_KEY: {
    type: 'string', optional: true, secret: true,
    pattern: '^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$',
    description: 'Keys of proofs of delivery, 32 bytes in Base64, newest first; without them none are taken.',
  },
  RASTRO_DOCS_DIR: {
    type: 'string', optional: true, minLength: 1,
    description: 'Folder of the documentation (npm run docs); without it /docs is the interface on one page.',
  },
  RASTRO_CONSOLE_TILES_FILE: {
    type: 'string', optional: true, minLength: 1,
    description: 'Map of the console, a PMTiles archive; without it borders of countries alone.',
  },
  CLICKHOUSE_URL: {
    type: 'string', optional: true, pattern: '^https?://',
    description: 'Address of the analytical store; without it the history of shipments is a fault.',
  },
  ...clickHouseTlsSettings,
  ...replicasSettings,
  CLICKHOUSE_DATABASE: {
    type: 'string', default: 'tracking', minLength: 1, description: 'Database of the tables.',
  },
  CLICKHOUSE_HISTORY_USER: {
    type: 'string', default: 'history', description: 'Who reads the history of shipments.',
  },
  CLICKHOUSE_HISTORY_PASSWORD: {
    type: 'string', default: '', secret: true,
    description: 'Password of who reads the history of shipments.',
  },
  CLICKHOUSE_PICTURES_USER: {
    type: 'string', default: 'pictures',
    description: 'Who reads where fleets and devices were, outcomes of items by minute, and audits.',
  },
  CLICKHOUSE_PICTURES_PASSWORD: {
    type: 'string', default: '', secret: true, description: 'Password of who reads where they were.',
  },
  RASTRO_COUNTRIES: {
    type: 'list', default: [],
    description: 'Countries: ISO ids narrow all of ISO 3166-1, others (XK, UK=GB) are added.',
  },
  RASTRO_CLIENT_ID_REQUIRED: {
    type: 'boolean', default: false,
    description: 'True when X-Client-Id is mandatory; the interface names no such header.',
  },
  RASTRO_CARRIER_CLIENT_ID: {
    type: 'string', optional: true, pattern: '^([1-9][0-9]{14}|none)$',
    description: 'Client that notifies about tracking numbers given here, or none:'
      + ' see docs/how-to/settings.md.',
  },
  RASTRO_CONTRACTS_REQUIRING_AGENCY: {
    type: 'list', default: [], description: 'Contracts whose shipments need an agency.',
  },
  RTT_REQUIRE_OPEN_MONITORING: {
    type: 'boolean', default: false,
    description: 'True when a registration needs an open start_tracking of its transport.',
  },
  RASTRO_COMMAND_DEADLINE_MS: {
    ...milliseconds(1_000, 7_776_000_000), optional: true,
    description: 'How long a command without expires_at is sent; without end when absent.',
  },
  RASTRO_HTTP_REQUEST_DEADLINE_MS: {
    ...milliseconds(100, 60_000), default: 10_000,
    description: 'From the last byte of a body to the answer.',
  },
  RASTRO_HTTP_ADMISSION_FRESH_MS: {
    ...milliseconds(100, 60_000), default: 5_000,
    description: 'How long the state of a device seen at admission may be acted on.',
  },
  RASTRO_RACE_WAIT_MS_MAX: {
    ...milliseconds(0, 60_000), default: 2_000,
    description: 'How long a call waits for another one that decides about the same thing.',
  },
  RASTRO_HTTP_OVERDUE_GRACE_MS: {
    ...milliseconds(0, 10_000), default: 500,
    description: 'After the deadline a call that did not end on its own is answered for.',
  },
  RASTRO_LOCATION_SCANNER: {
    type: 'boolean', default: true,
    description: 'Scan bodies of locations in one pass; off, all of them go the exact way.',
  },
  RASTRO_KAFKA_OWN_BATCHES: {
    type: 'boolean', default: true,
    description: 'Encode batches of records here; off, or with kafkajs, the client library does.',
  },
  RASTRO_LAME_DUCK_MS: {
    ...milliseconds(0, 120_000), default: 500,
    description: 'How long a gateway that must stop still serves, while it says unready.',
  },
  RASTRO_HTTP_HEADERS_TIMEOUT_MS: {
    ...milliseconds(100, 120_000), default: 10_000, description: 'For the head of a request.',
  },
  RASTRO_HTTP_REQUEST_TIMEOUT_MS: {
    ...milliseconds(100, 300_000), default: 30_000, description: 'For head and body of a request.',
  },
  RASTRO_HTTP_KEEP_ALIVE_TIMEOUT_MS: {
    ...milliseconds(100, 600_000), default: 65_000,
    description: 'For the next request on a connection; longer than that of a proxy in front.',
  },
  RASTRO_HTTP_CONNECTIONS_MAX: {
    ...count, default: 4_096, description: 'Open connections; more are closed at once.',
  },
  RASTRO_HTTP_CONNECTIONS_PER_ADDRESS_MAX: {
    ...count, default: 1_024,
    description: 'Open connections of one address; trusted proxies may have more.',
  },
  RASTRO_HTTP_BODY_BYTES_IN_FLIGHT_MAX: {
    ...count, default: 268_435_456, description: 'Bodies of all calls in progress, in bytes.',
  },
  RASTRO_APPEND_WAITING_BYTES_MAX: {
    ...count, default: 67_108_864, description: 'Records that wait for the log, in bytes.',
  },
  RASTRO_REQUESTS_PER_SECOND: {
    ...count, default: 200, description: 'Requests per second of one client.',
  },
  RASTRO_REQUESTS_BURST: {
    ...count, default: 400, description: 'Requests that one client may send at once.',
  },
  RASTRO_LOCATIONS_PER_SECOND: {
    ...count, default: 20_000, description: 'Locations per second of one client.',
  },
  RASTRO_LOCATIONS_BURST: {
    ...count, default: 20_000, description: 'Locations that one client may send at once.',
  },
  RASTRO_NOTIFICATIONS_PER_SECOND: {
    ...count, default: 500, description: 'Notifications per second of one client.',
  },
  RASTRO_NOTIFICATIONS_BURST: {
    ...count, default: 2_000, description: 'Notifications that one client may send at once.',
  },
  RASTRO_BYTES_PER_SECOND: {
    ...count, default: 20_971_520,
    description: 'Bytes per second of bodies of one client, unpacked, beyond 16 KiB a call.',
  },
  RASTRO_BYTES_BURST: {
    ...count, default: 41_943_040, description: 'Such bytes that one client may send at once.',
  },
  RASTRO_DEVICE_REQUESTS_PER_SECOND: {
    ...count, default: 20, description: 'Calls per second that send data of one device.',
  },
  RASTRO_DEVICE_REQUESTS_BURST: {
    ...count, default: 40, description: 'Calls that may send data of one device at once.',
  },
  RASTRO_TENANT_CLIENTS_MAX: {
    ...count, default: 5,
    description: 'All clients of one user together may use as much as so many of the largest.',
  },
  RASTRO_TENANT_BYTES_PER_DAY: {
    type: 'integer', minimum: 1, maximum: 1_000_000_000_000_000, default: 107_374_182_400,
    description: 'Bytes of bodies that all clients of one user may send in a day, unpacked.',
  },
  RASTRO_BAD_TOKENS_PER_MINUTE: {
    ...count, default: 60,
    description: 'Calls per minute of one address whose token is not valid, in each gateway.',
  },
  RASTRO_BAD_TOKENS_BURST: {
    ...count, default: 300, description: 'Such calls that one address may send at once.',
  },
  RASTRO_TOKEN_REQUESTS_PER_MINUTE: {
    ...count, default: 10, description: 'Token requests per minute of one client id or address.',
  },
  RASTRO_TOKEN_REQUESTS_BURST: {
    ...count, default: 20, description: 'Token requests that may come at once.',
  },
} as const satisfies Settings;
