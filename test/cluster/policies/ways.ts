import { GATEWAY_PROGRAMS } from '../../../services/gateways/gateways.ts';
import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';
import { NETWORK } from '../network.ts';

/** Where a connection may go: a Pod of an app, or an address, and a port of it. */
export interface WayEnd {
  readonly name: string;
  readonly app?: string;
  readonly address?: string;
  readonly port: number;
}

/** An address of no private network, which each node answers for. */
export const ANYWHERE = '203.0.113.10';

/** Namespaces that an operator may have beside ours, and the label of each. */
export const VISITORS = {
  stranger: {}, caller: { 'rastro/calls-gateways': 'true' },
  monitor: { 'rastro/reads-metrics': 'true' }, analyst: { 'rastro/reads-tables': 'true' },
} as const;

const PROGRAMS = [...GATEWAY_PROGRAMS, ...WORKER_PROGRAMS];
// One object for each end: a source and the list of all ends name the same one.
const CALLS = GATEWAY_PROGRAMS.map((app): WayEnd => ({ name: `calls of ${app}`, app, port: 8080 }));
const METRICS = PROGRAMS.map((app): WayEnd => ({ name: `metrics of ${app}`, app, port: 9080 }));

const NAMES: WayEnd = { name: 'names', address: NETWORK.namesAddress, port: 53 };
const TABLES: WayEnd = { name: 'tables', app: 'clickhouse', port: 8123 };
const TABLE_METRICS: WayEnd = { name: 'metrics of the tables', app: 'clickhouse', port: 9363 };
const PARTS: readonly WayEnd[] = [
  { name: 'log', app: 'kafka', port: 9093 }, { name: 'state store', app: 'redis', port: 6379 },
  { name: 'registry', app: 'registry', port: 8080 }, TABLES,
];
const INTERNET: WayEnd = { name: 'the Internet', address: ANYWHERE, port: 443 };
const PRIVATE: WayEnd = { name: 'a private network', address: NETWORK.address, port: 443 };
const API_SERVER: WayEnd = { name: 'the API server', address: NETWORK.address, port: 6443 };

/** Every end that is tried from every source. */
export const WAY_ENDS: readonly WayEnd[] = [
  NAMES, ...PARTS, TABLE_METRICS, ...CALLS, ...METRICS, INTERNET, PRIVATE, API_SERVER,
];

/** What each source may reach, as docs and manifests say it in words; no other end. */
export const MAY_REACH: Readonly<Record<string, readonly WayEnd[]>> = {
  ...Object.fromEntries(PROGRAMS.map((app) => [app, [NAMES, ...PARTS]])),
  parties: [NAMES, ...PARTS, INTERNET],
  // Deletes old backups in an object storage, in whatever network that is.
  'command-line': [NAMES, ...PARTS, INTERNET, PRIVATE],
  clickhouse: [NAMES, INTERNET, PRIVATE],
  redis: [NAMES],
  registry: [NAMES],
  // Strimzi asks the API server, which may be anywhere.
  kafka: [NAMES, INTERNET, PRIVATE, API_SERVER],
  // No policy is in these namespaces: they are held off by ours alone.
  stranger: [NAMES, INTERNET, PRIVATE, API_SERVER],
  caller: [NAMES, INTERNET, PRIVATE, API_SERVER, ...CALLS],
  monitor: [NAMES, INTERNET, PRIVATE, API_SERVER, ...METRICS, TABLE_METRICS],
  analyst: [NAMES, INTERNET, PRIVATE, API_SERVER, TABLES],
};
