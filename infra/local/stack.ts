import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WORK_NICENESS } from './child.ts';
import { externalAddress, requireReachable } from './external.ts';
import { tryLock } from './lock.ts';
import { startLocalPart } from './local-part.ts';
import type { LocalPartOptions, Started, StackPorts } from './local-part.ts';
import { PART_NAMES, type Log, type Part, type PartName } from './part.ts';
import { requirePlatform } from './platform.ts';
import { EMPTY_STACK_ENV, externalEnv, type StackEnv } from './stack-env.ts';

/** What to start and where its state, its downloads and its addresses are. */
export type StackOptions = {
  /** State of all parts, one folder each; only one stack at a time may use it. */
  readonly dataDir: string;
  /** Downloads, shared by every stack of the machine that names the same directory. */
  readonly cacheDir: string;
  /** Fixed ports of 127.0.0.1 (the Kafka controller takes the one after Kafka's), or any. */
  readonly ports: StackPorts | 'free';
  /** The parts that are wanted; all four unless named. */
  readonly parts?: readonly PartName[];
  /** Databases that ingest and analyst may use; `tracking` unless named; `test_*` is a pattern. */
  readonly clickhouseDatabases?: readonly string[];
  /** What Redis may hold before it refuses writes, as its `maxmemory`; see `startRedis`. */
  readonly redisMemoryMax?: string | undefined;
  /** Niceness of ClickHouse; that of what works behind the log unless given. */
  readonly workNiceness?: number | undefined;
  /** Where KAFKA_BROKERS, REDIS_URL, … may name running parts; the process's own unless given. */
  readonly env?: NodeJS.ProcessEnv;
  readonly log: Log;
};

/** A running stack; `parts` holds what runs here, not what the environment named. */
export type Stack = {
  readonly env: StackEnv;
  readonly parts: { readonly [name in PartName]?: Part };
  /** Ends every part in order, at the latest within 10 s; nothing is left running. */
  stop(): Promise<void>;
};

/**
 * Starts the four parts at once and resolves when each answers its own protocol. Throws one
 * sentence when this machine is of another kind, the directory is in use, a part cannot be brought,
 * or a named part does not answer.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const env = options.env ?? process.env;
  const names = options.parts ?? PART_NAMES;
  requirePlatform(names.filter((name) => externalAddress(name, env) === undefined));
  mkdirSync(options.dataDir, { recursive: true });
  const lock = tryLock(join(options.dataDir, 'stack.lock'));
  if (!lock.held) {
    throw new Error(
      `A stack already runs on ${options.dataDir} (process ${lock.holder.pid}): ` +
        'end that one first, or choose another directory.',
    );
  }
  const local: LocalPartOptions = {
    dataDir: options.dataDir,
    cache: { dir: options.cacheDir, log: options.log, waitMsMax: 900_000 },
    ports: options.ports,
    clickhouseDatabases: options.clickhouseDatabases ?? ['tracking'],
    redisMemoryMax: options.redisMemoryMax,
    workNiceness: options.workNiceness ?? WORK_NICENESS,
    log: options.log,
  };
  const outcomes = await Promise.allSettled(names.map((name) => startPart(name, local, env)));
  const started = outcomes.flatMap((outcome) => {
    return outcome.status === 'fulfilled' ? [outcome.value] : [];
  });
  const background = new AbortController();
  let backgroundWork = Promise.resolve();
  const stop = async (): Promise<void> => {
    background.abort();
    await backgroundWork;
    await Promise.all(started.map(async ({ part }) => part?.stop()));
    lock.release();
  };
  const failures = outcomes.flatMap((outcome) => {
    return outcome.status === 'rejected' ? [outcome.reason as Error] : [];
  });
  if (failures.length > 0) {
    await stop();
    throw new Error(failures.map((failure) => failure.message).join('\n'), { cause: failures[0] });
  }
  backgroundWork = workLater(started, background.signal, options.log);
  return collect(started, stop);
}

type StartedPart = Partial<Started> & Pick<Started, 'env'> & { readonly name: PartName };

async function startPart(
  name: PartName,
  local: LocalPartOptions,
  env: NodeJS.ProcessEnv,
): Promise<StartedPart> {
  const address = externalAddress(name, env);
  if (address === undefined) return { name, ...(await startLocalPart(name, local)) };
  await requireReachable(name, address, env);
  local.log('info', `${name} is not started: the environment names a running one`);
  return { name, env: externalEnv(name, address, env) };
}

/** One after the other, and never a reason for the stack to fail. */
async function workLater(
  started: readonly StartedPart[],
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  for (const { name, later } of started) {
    if (signal.aborted) return;
    await later?.(signal).catch((error: unknown) => {
      if (!signal.aborted) log('warning', `${name}: ${(error as Error).message}`);
    });
  }
}

function collect(started: readonly StartedPart[], stop: () => Promise<void>): Stack {
  const parts: { [name in PartName]?: Part } = {};
  let env = EMPTY_STACK_ENV;
  for (const { name, part, env: own } of started) {
    env = { ...env, ...own };
    if (part !== undefined) parts[name] = part;
  }
  return { env, parts, stop };
}
