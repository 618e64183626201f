import { join } from 'node:path';
import { kafkaClientNamed } from '../../../services/adapters/kafka/config.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { migrateDatabase } from '../../clickhouse/migrate-database.ts';
import { makeTopics } from '../../kafka/make-topics.ts';
import { WORK_NICENESS } from '../child.ts';
import type { StackPorts } from '../local-part.ts';
import type { Log, PartName } from '../part.ts';
import { freePorts } from '../ports.ts';
import type { StackEnv } from '../stack-env.ts';
import { startStack, type Stack } from '../stack.ts';
import { importSampleCodes } from './import-codes.ts';
import { processEnv, type Access } from './process-env.ts';
import {
  ROOT_DIR, startProcess, type ProcessKind, type ProcessLimits, type ProductProcess, type Release,
} from './process.ts';

/** Says how to end what was started; the last is ended first. */
export type OnClose = (end: () => unknown) => void;

/** One process of a platform, and what is other than usual in it. */
export interface ProcessPlan extends Partial<Pick<Release, 'env'>> {
  readonly name: string;
  readonly kind: ProcessKind;
  readonly runs: readonly string[];
  /** Any free ones unless given. */
  readonly httpPort?: number;
  readonly adminPort?: number;
  /** Where it says that it is ready; `/readyz` of its admin port unless given. */
  readonly readyPath?: string;
  /** Of its output, below the platform's; its name unless given. */
  readonly folder?: string;
  /** Code other than this tree. */
  readonly productDir?: string | undefined;
  readonly preload?: string;
}

/** What stands between the processes and their parts, or replaces some of them. */
export interface Interposed {
  /** Addresses of parts that it runs itself. */
  readonly env?: Partial<StackEnv>;
  /** The addresses as one process sees them, and how it reaches log and state store. */
  readonly waysOf?: (plan: ProcessPlan, env: StackEnv) => {
    readonly env?: Partial<StackEnv>; readonly access?: Access;
  };
}

/** The parts of a platform: which are its own, and where the others are. */
export interface PartsSpec {
  /** Those that it starts; all unless named. */
  readonly own?: readonly PartName[];
  readonly others?: Partial<StackEnv>;
  readonly ports: StackPorts | 'free';
  readonly dir?: string;
  readonly redisMemoryMax?: string | undefined;
  /** Where KAFKA_BROKERS, … may name running parts; nothing is read unless given. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A platform on this machine. */
export interface PlatformSpec {
  readonly dir: string;
  readonly parts: PartsSpec;
  readonly processes: (env: StackEnv) => readonly ProcessPlan[] | Promise<readonly ProcessPlan[]>;
  /** Proxies before the parts, brokers of its own, users: started beside the parts. */
  readonly faults?: (onClose: OnClose) => Promise<Interposed>;
  /** Niceness of workers and ClickHouse; more than that of what answers callers unless given. */
  readonly workNiceness?: number;
  /** Makes topics, tables and codes; those of this tree unless given. */
  readonly prepare?: (env: StackEnv) => Promise<unknown>;
  /** Makes the tables; the migrations of this tree unless given. */
  readonly tables?: () => Promise<unknown>;
  readonly database?: string;
  readonly limits?: ProcessLimits;
  readonly leaving?: AbortSignal;
  readonly log?: Log;
}

/** A running platform: its parts and its processes by name. */
export interface RunningPlatform {
  readonly env: StackEnv;
  readonly stack: Stack;
  readonly processes: ReadonlyMap<string, ProductProcess>;
  process(name: string): ProductProcess;
  /** Starts one more process; it ends with the platform. */
  readonly start: (plan: ProcessPlan) => Promise<ProductProcess>;
  readonly onClose: OnClose;
  readonly close: () => Promise<void>;
}

const DATABASE = 'tracking';
const PREPARE_MS_MAX = 90_000;
/** Several start at once, and a slow machine takes a minute to load them. */
const LIMITS: ProcessLimits = { readyMsMax: 120_000, stopMsMax: 15_000 };
const nothing: Log = () => undefined;

/**
 * The one way to start the product: parts, topics, tables, codes, then all processes at once.
 * Nothing is left running when it cannot be started, or when `leaving` is aborted meanwhile.
 */
export async function startPlatform(spec: PlatformSpec): Promise<RunningPlatform> {
  const endings: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  try {
    return await build(spec, (end) => { endings.push(end); }, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  spec: PlatformSpec, onClose: OnClose, close: RunningPlatform['close'],
): Promise<RunningPlatform> {
  const { parts, database = DATABASE } = spec;
  const isOwn = (name: PartName): boolean => parts.own?.includes(name) ?? true;
  const tables = (env: Partial<StackEnv>): Promise<unknown> => spec.tables?.() ?? migrateDatabase({
    url: env.CLICKHOUSE_URL ?? '', user: env.CLICKHOUSE_USER ?? '',
    password: env.CLICKHOUSE_PASSWORD ?? '', database,
  });
  const [stack, interposed] = await allOrThrow([
    startParts(spec).then((started) => {
      onClose(() => started.stop());
      return started;
    }),
    spec.faults?.(onClose),
    // Where others run ClickHouse, its tables need not wait for our parts.
    spec.prepare === undefined && !isOwn('clickhouse') ? tables(parts.others ?? {}) : undefined,
  ]);
  spec.leaving?.throwIfAborted();
  const env: StackEnv = {
    ...stack.env, ...parts.others, ...said(stack.env), ...interposed?.env,
  };
  if (spec.prepare !== undefined) await spec.prepare(env);
  else await Promise.all([topics(env), isOwn('clickhouse') ? tables(env) : undefined]);
  if (spec.prepare === undefined) await importSampleCodes(env);
  const processes = new Map<string, ProductProcess>();
  const start = async (plan: ProcessPlan): Promise<ProductProcess> => {
    const started = await startPlanned(spec, plan, env, database, interposed);
    onClose(() => started.part.stop());
    processes.set(plan.name, started);
    return started;
  };
  await allOrThrow((await spec.processes(env)).map(start));
  spec.leaving?.throwIfAborted();
  return {
    env, stack, processes, start, onClose, close,
    process(name) {
      const found = processes.get(name);
      if (found === undefined) throw new Error(`This platform has no process ${name}.`);
      return found;
    },
  };
}

function startParts({ dir, parts, workNiceness, log = nothing }: PlatformSpec): Promise<Stack> {
  return startStack({
    dataDir: parts.dir ?? join(dir, 'stack'), cacheDir: cacheDir(), ports: parts.ports, log,
    env: parts.env ?? {}, redisMemoryMax: parts.redisMemoryMax, workNiceness,
    ...(parts.own === undefined ? {} : { parts: parts.own }),
  });
}

/** Downloads, shared by everything that runs on this machine. */
export function cacheDir(): string {
  return process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
}

function topics(env: StackEnv): Promise<void> {
  return makeTopics({
    brokers: env.KAFKA_BROKERS.split(','), registryUrl: env.SCHEMA_REGISTRY_URL, replicas: 1,
    client: kafkaClientNamed(process.env['RASTRO_KAFKA_CLIENT']), live: 'gateways',
    deadlineMs: Date.now() + PREPARE_MS_MAX,
  }, silentSignals);
}

async function startPlanned(
  { dir, limits = LIMITS, workNiceness = WORK_NICENESS, log = nothing }: PlatformSpec,
  plan: ProcessPlan, env: StackEnv, database: string, interposed: Interposed | undefined,
): Promise<ProductProcess> {
  const { name, kind, runs, preload, productDir = ROOT_DIR } = plan;
  const [free = 0, freeAdmin = 0] = await freePorts(2);
  const httpPort = plan.httpPort ?? free;
  const adminPort = plan.adminPort ?? freeAdmin;
  const ways = interposed?.waysOf?.(plan, env);
  return startProcess({
    name, kind, runs, preload, productDir, limits, log,
    niceness: kind === 'workers' ? workNiceness : 0,
    dir: join(dir, plan.folder ?? name),
    adminUrl: `http://127.0.0.1:${adminPort}`,
    readyPath: plan.readyPath ?? '/readyz',
    env: {
      ...processEnv(
        kind, { ...env, ...ways?.env }, { httpPort, adminPort, database }, ways?.access,
      ),
      ...plan.env,
    },
  });
}

/** The addresses that a stack knows; empty are those of parts that it did not start. */
function said(env: StackEnv): Partial<StackEnv> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Waits for all before it rejects, so that nothing starts after the clean-up. */
async function allOrThrow<const Starting extends readonly unknown[]>(
  starting: Starting,
): Promise<{ -readonly [at in keyof Starting]: Awaited<Starting[at]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}
