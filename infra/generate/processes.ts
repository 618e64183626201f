import {
  benchMemory, cpuFor, soakMemory, type Measured, type Reckoned, type Soaked,
} from './measured.ts';

/**
 * Rooms of the gateways, one Deployment each. These lists are written down again here, and held to
 * those of the code by a test: then the manifests can be made whatever the code imports.
 */
export const GATEWAYS = [
  'oauth', 'devices', 'georeceiver', 'query', 'authorization', 'notifications', 'platform', 'docs',
] as const;

/** Workers, one Deployment each. */
export const WORKERS = [
  'access-keeper', 'device-keeper', 'command-keeper', 'dispatcher', 'delivery-keeper',
  'authorization-keeper', 'authorizer', 'shipment-keeper', 'puller', 'personal-keeper',
  'table-writer', 'quarantine-writer',
] as const;

/** The name of one gateway. */
export type GatewayName = (typeof GATEWAYS)[number];

/** The name of one worker. */
export type WorkerName = (typeof WORKERS)[number];

/** A variable whose value is a key of a Secret. */
export interface SecretVariable {
  readonly variable: string;
  readonly secret: string;
  readonly key: string;
}

/** What is to be known about one process of the platform to run it in a cluster. */
export interface Process {
  readonly kind: 'gateway' | 'worker';
  /** Name of its Deployment. */
  readonly name: string;
  /** What `main.ts` is told to run. */
  readonly runs: string;
  /** User at the brokers and at the state store. */
  readonly user: 'gateways' | 'workers';
  readonly secrets: readonly SecretVariable[];
  /** True when it reads or writes the folder of proofs of delivery. */
  readonly hasImages: boolean;
  /** True when it calls addresses of parties on the Internet. */
  readonly callsParties: boolean;
  /** What it asks for, in thousandths of a core and MiB, and how that came about. */
  readonly cpu: Reckoned<number>;
  readonly memory: { readonly request: Reckoned<number>; readonly limit: Reckoned<number> };
}

const REDIS = { variable: 'REDIS_URL', key: 'REDIS_URL' };
const PERSONAL_KEY = { variable: 'RASTRO_PERSONAL_KEY', key: 'RASTRO_PERSONAL_KEY' };
const IMAGE_KEY = { variable: 'RASTRO_IMAGE_KEY', key: 'RASTRO_IMAGE_KEY' };

/** The gateways; all ask for the pepper, and only some read what was recorded about shipments. */
export function gatewayProcesses(): readonly Process[] {
  return GATEWAYS.map((room) => ({
    kind: 'gateway',
    name: `gateway-${room}`,
    runs: room,
    user: 'gateways',
    secrets: [
      ...secretsOf('gateways'),
      ...from('rastro-gateways', [
        { variable: 'RASTRO_SECRET_PEPPER', key: 'RASTRO_SECRET_PEPPER' },
        PERSONAL_KEY,
        ...(room === 'notifications' ? [IMAGE_KEY] : []),
        ...(READS_HISTORY.includes(room)
          ? [{ variable: 'CLICKHOUSE_HISTORY_PASSWORD', key: 'CLICKHOUSE_HISTORY_PASSWORD' }]
          : []),
      ]),
    ],
    hasImages: room === 'notifications',
    callsParties: false,
    // Locations are nearly all of the load; other rooms see a small part of it.
    cpu: room === 'georeceiver' ? cpuFor('gateways') : unmeasured(250),
    memory: memoryOfGateway(room),
  }));
}

const READS_HISTORY: readonly GatewayName[] = ['notifications', 'query'];

/** The workers; keys of sealed secrets reach only those who call the parties they belong to. */
export function workerProcesses(): readonly Process[] {
  return WORKERS.map((worker) => ({
    kind: 'worker',
    name: worker,
    runs: worker,
    user: 'workers',
    secrets: [
      ...secretsOf('workers'),
      ...from('rastro-workers', [
        ...(CALLERS.includes(worker)
          ? [{ variable: 'RASTRO_VAULT_KEY', key: 'RASTRO_VAULT_KEY' }]
          : []),
        ...(worker === 'puller' ? [IMAGE_KEY, PERSONAL_KEY] : []),
        ...(worker === 'authorizer' ? [PERSONAL_KEY] : []),
        ...(INSERTERS.includes(worker)
          ? [{ variable: 'CLICKHOUSE_INGEST_PASSWORD', key: 'CLICKHOUSE_INGEST_PASSWORD' }]
          : []),
      ]),
    ],
    hasImages: worker === 'puller',
    callsParties: CALLERS.includes(worker),
    cpu: LOADED[worker] === undefined ? unmeasured(200) : cpuFor(LOADED[worker]),
    memory: memoryOf(worker),
  }));
}

const INSERTERS: readonly WorkerName[] = ['table-writer', 'quarantine-writer'];
const CALLERS: readonly WorkerName[] = ['dispatcher', 'authorizer', 'puller'];

/** Workers that see each location, by the figure of their cost. */
const LOADED: Readonly<Partial<Record<WorkerName, Measured>>> = {
  'table-writer': 'tableWriters', 'quarantine-writer': 'tableWriters', 'device-keeper': 'keepers',
};

function unmeasured(value: number): Reckoned<number> {
  return { value, because: 'not measured, a small part of what locations cost' };
}

/** Bodies under way and records that wait for the log, as far as their limits let them grow. */
const HELD_MIB = { bodies: 256, waiting: 64 };
/** One insert, and twice that read ahead of it. */
const INSERT_MIB = 3 * 64;
const LIMIT_STEP = 64;

function memoryOfGateway(room: GatewayName): Process['memory'] {
  const most = benchMemory();
  const { bodies, waiting } = HELD_MIB;
  const limit = most.value + bodies + waiting;
  return {
    request: room === 'georeceiver' ? most : soakMemory('gateway'),
    limit: {
      value: Math.ceil(limit / LIMIT_STEP) * LIMIT_STEP,
      because: `${most.value} + ${bodies} of bodies under way + ${waiting} of records that wait`,
    },
  };
}

/** What was measured is what is asked for; garbage may come to as much again. */
function memoryOf(worker: WorkerName): Process['memory'] {
  const held = soakMemory(soakedAs(worker));
  const request = INSERTERS.includes(worker)
    ? { value: held.value + INSERT_MIB, because: `${held.because} + ${INSERT_MIB} of inserts` }
    : held;
  return {
    request, limit: { value: 2 * request.value, because: 'as much again for garbage' },
  };
}

/** The dispatcher ran alone, as each worker does in a cluster; inserts ran beside all keepers. */
function soakedAs(worker: WorkerName): Soaked {
  return INSERTERS.includes(worker) ? 'workers' : 'dispatcher';
}

function secretsOf(user: 'gateways' | 'workers'): readonly SecretVariable[] {
  return [
    { variable: 'KAFKA_SASL_PASSWORD', secret: `kafka-user-${user}`, key: 'password' },
    ...from(`rastro-${user}`, [REDIS]),
  ];
}

function from(
  secret: string, variables: readonly Omit<SecretVariable, 'secret'>[],
): readonly SecretVariable[] {
  return variables.map((each) => ({ ...each, secret }));
}
