import {
  GATEWAYS, type GatewayProgram, type GatewayRoom,
} from '../../services/gateways/gateways.ts';
import {
  WORKER_PROGRAMS, WORKERS, type Store, type Worker, type WorkerProgram,
} from '../../services/workers/workers.ts';
import {
  benchMemory, cpuFor, soakMemory, type Measured, type Reckoned,
} from './measured.ts';

/** A variable whose value is a key of a Secret. */
export interface SecretVariable {
  readonly variable: string;
  readonly secret: string;
  readonly key: string;
}

/** One program of the platform as a cluster runs it. */
export interface Process {
  readonly kind: 'gateway' | 'worker';
  /** Name of its Deployment, and of the program unless another is said. */
  readonly name: string;
  readonly program?: WorkerProgram;
  /** True when it is all programs of its kind in one. */
  readonly isWhole?: boolean;
  /** The further replica of the tables that its writers fill. */
  readonly replica?: string;
  /** User at the brokers and at the state store. */
  readonly user: 'gateways' | 'workers';
  /** Who it is for the log. */
  readonly logUser: 'gateways' | 'live' | 'workers';
  readonly secrets: readonly SecretVariable[];
  /** Options of Node itself. */
  readonly nodeOptions?: string;
  /** True when it reads or writes the folder of proofs of delivery. */
  readonly hasImages: boolean;
  /** True when it calls addresses of parties on the Internet. */
  readonly callsParties: boolean;
  /** What it asks for, in thousandths of a core and MiB, and how that came about. */
  readonly cpu: Reckoned<number>;
  readonly memory: { readonly request: Reckoned<number>; readonly limit: Reckoned<number> };
}

const PEPPER = 'RASTRO_SECRET_PEPPER';
const PERSONAL_KEY = 'RASTRO_PERSONAL_KEY';
const IMAGE_KEY = 'RASTRO_IMAGE_KEY';

/**
 * In MiB. A live gateway keeps little of what it reads, and takes no bodies: of the young heap that
 * Node would let grow it has no use. docs/reference/performance/console.md has its memory with it.
 */
const LIVE_YOUNG_HEAP = '--max-semi-space-size=4';

/** Rooms that read what was recorded about shipments or calls. */
const READS_HISTORY: readonly GatewayRoom[] = ['notifications', 'query'];
/** Rooms that read where fleets and devices were, or outcomes of items by minute. */
const READS_PICTURES: readonly GatewayRoom[] = ['live', 'query', 'platform', 'operator'];

/** The gateways; all ask for the pepper, and only some read what was recorded about shipments. */
export function gatewayProcesses(): readonly Process[] {
  const byProgram = Map.groupBy(GATEWAYS, ({ program }) => program);
  return [...byProgram].map(([program, gateways]) => {
    const hasImages = program === 'notifications';
    const readsHistory = gateways.some(({ id }) => READS_HISTORY.includes(id));
    const readsPictures = gateways.some(({ id }) => READS_PICTURES.includes(id));
    return {
      kind: 'gateway', name: program, user: 'gateways',
      logUser: program === 'live' ? 'live' : 'gateways',
      secrets: secretsOf('gateways', program === 'live' ? 'live' : 'gateways', [
        PEPPER, PERSONAL_KEY,
        ...(hasImages ? [IMAGE_KEY] : []),
        ...(readsHistory ? ['CLICKHOUSE_HISTORY_PASSWORD'] : []),
        ...(readsPictures ? ['CLICKHOUSE_PICTURES_PASSWORD'] : []),
      ]),
      ...(program === 'live' ? { nodeOptions: LIVE_YOUNG_HEAP } : {}),
      hasImages, callsParties: false,
      // Locations are nearly all of the load; other rooms see a small part of it.
      cpu: program === 'ingest' ? cpuFor('gateways') : unmeasured(250),
      memory: memoryOfGateway(program),
    };
  });
}

/** The settings of a store for the workers that need it; every worker gets those of Redis. */
const SECRETS: Readonly<Record<Store, readonly string[]>> = {
  'state': [], 'parties': [], 'vault': ['RASTRO_VAULT_KEY'], 'personal-key': [PERSONAL_KEY],
  'images': [IMAGE_KEY], 'tables': ['CLICKHOUSE_INGEST_PASSWORD'],
};

/** The workers; keys of sealed secrets reach only those who call the parties they belong to. */
export function workerProcesses(): readonly Process[] {
  return WORKER_PROGRAMS.map((program) => {
    const needs = new Set<Store>(workersOf(program).flatMap((worker) => worker.needs));
    return {
      kind: 'worker', name: program, user: 'workers', logUser: 'workers',
      secrets: secretsOf('workers', 'workers', [...needs].flatMap((store) => SECRETS[store])),
      hasImages: needs.has('images'), callsParties: needs.has('parties'),
      cpu: cpuOf(program), memory: MEMORY[program](),
    };
  });
}

/** Name of the replica of the tables that the manifests can bring. */
export const REPLICA = 'b';

/** The writers of that replica. */
export function replicaProcess(): Process {
  const program = 'table-writer';
  const [writer] = workerProcesses().filter(({ name }) => name === program);
  if (writer === undefined) throw new Error('No program writes tables.');
  return { ...writer, name: `${program}-${REPLICA}`, program, replica: REPLICA };
}

/** The rows of one program in the table of workers. */
export function workersOf(program: WorkerProgram): readonly Worker[] {
  return (WORKERS as readonly Worker[]).filter((worker) => worker.program === program);
}

/** Programs that see each location, by the figure of their cost. */
const LOADED: Readonly<Partial<Record<WorkerProgram, Measured>>> = {
  'table-writer': 'tableWriters', 'projector': 'projectors',
};

/** Everything but locations, in a program that has been measured with locations alone. */
const OTHER_FACTS_CPU = 100;

function cpuOf(program: WorkerProgram): Reckoned<number> {
  const measured = LOADED[program];
  if (measured === undefined) return unmeasured(200);
  const locations = cpuFor(measured);
  if (program !== 'projector') return locations;
  return {
    value: locations.value + OTHER_FACTS_CPU,
    because: `${locations.because},\nand ${OTHER_FACTS_CPU}m for all other facts, not measured`,
  };
}

function unmeasured(value: number): Reckoned<number> {
  return { value, because: 'not measured, a small part of what locations cost' };
}

/** Bodies in flight and records that wait for the log, as far as their limits let them grow. */
const HELD_MIB = { bodies: 256, waiting: 64 };
/** One insert, and twice that read ahead of it. */
const INSERT_MIB = 3 * 64;
/** As many pages as are polled at once, of 6 MiB each. */
const PAGES_MIB = 16 * 6;
const LIMIT_STEP = 64;

function memoryOfGateway(program: GatewayProgram): Process['memory'] {
  const most = benchMemory();
  const { bodies, waiting } = HELD_MIB;
  const limit = most.value + bodies + waiting;
  return {
    request: program === 'ingest' ? most : soakMemory('gateway'),
    limit: {
      value: Math.ceil(limit / LIMIT_STEP) * LIMIT_STEP,
      because: `${most.value} + ${bodies} of bodies in flight + ${waiting} of records that wait`,
    },
  };
}

/**
 * The soak ran the projector, journeys and a table writer in one process (`workers`), and what
 * talks to partners alone (`parties`): no program here holds more than its process there.
 */
const MEMORY: Readonly<Record<WorkerProgram, () => Process['memory']>> = {
  'projector': () => twice(soakMemory('workers')),
  'journey': () => twice(soakMemory('parties')),
  'table-writer': () => twice(
    plus(soakMemory('workers'), INSERT_MIB, 'inserts'), INSERT_MIB, 'inserts of the overflow topic',
  ),
  'parties': () => twice(soakMemory('parties'), PAGES_MIB, 'pages of feeds'),
};

/** What was measured is what is asked for; garbage may come to as much again. */
function twice(request: Reckoned<number>, more = 0, of = ''): Process['memory'] {
  const limit = { value: 2 * request.value, because: 'as much again for garbage' };
  return { request, limit: more === 0 ? limit : plus(limit, more, of) };
}

function plus({ value, because }: Reckoned<number>, more: number, of: string): Reckoned<number> {
  return { value: value + more, because: `${because} + ${more} of ${of}` };
}

function secretsOf(
  user: Process['user'], logUser: Process['logUser'], variables: readonly string[],
): readonly SecretVariable[] {
  return [
    { variable: 'KAFKA_SASL_PASSWORD', secret: `kafka-user-${logUser}`, key: 'password' },
    ...['REDIS_URL', ...variables].map((variable) => (
      { variable, secret: `rastro-${user}`, key: variable }
    )),
  ];
}
