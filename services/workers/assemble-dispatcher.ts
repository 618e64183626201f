import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { openOutbound } from '../adapters/outbound/outbound.ts';
import type { RedisStates } from '../adapters/redis/open-redis.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import type { Signals } from '../kernel/signals.ts';
import type { States } from '../state/create-states.ts';
import type { WorkersConfig } from './assemble-config.ts';
import type { DeadLetters } from './common/dead-letters.ts';
import { POISON_FLOOD_LIMITS } from './common/poison-flood.ts';
import type { ReadRecord } from './common/read-record.ts';
import { DISPATCHER_LIMITS, type DispatcherConfig } from './parties/commands/config.ts';
import { createPartyTokens } from './parties/common/party-tokens.ts';
import { createDispatcher, type Dispatcher } from './parties/commands/pipeline.ts';

/** What the dispatcher is put together from. */
export interface DispatcherParts {
  readonly config: WorkersConfig;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  readonly states: RedisStates & States;
  readonly kafka: KafkaLog;
  readonly deadLetters: DeadLetters;
  readonly readRecord: ReadRecord;
  readonly onCrash: (error: unknown) => void;
}

const ANSWER_BYTES_MAX = 65_536;

/** Opens the dispatcher; throws when it cannot open secrets or its lease is shorter than a call. */
export function openDispatcher(parts: DispatcherParts): Dispatcher {
  const { config, lifecycle, states, kafka } = parts;
  const limits = limitsOf(config);
  const key = config.RASTRO_VAULT_KEY;
  if (key === undefined) throw new Error('The dispatcher needs RASTRO_VAULT_KEY.');
  if (limits.leaseMs <= limits.requestMsMax + limits.renewMs + 1_000) {
    throw new Error('RASTRO_DISPATCH_LEASE_MS must be longer than a request and a renewal.');
  }
  const { call, close } = openOutbound({
    allowsInsecure: config.RASTRO_DISPATCH_INSECURE,
    allowsPrivate: config.RASTRO_DISPATCH_PRIVATE,
    refusesLoopback: !config.RASTRO_DISPATCH_LOOPBACK,
    timeoutMs: limits.requestMsMax,
    answerBytesMax: ANSWER_BYTES_MAX,
    socketsMaxPerHost: limits.inFlightMaxPerProvider,
  });
  lifecycle.onRelease('outbound', close);
  const dispatcher = createDispatcher(limits, {
    ...parts,
    log: kafka.recordLog, reader: kafka.reader,
    parties: states.parties, commands: states.commands, leases: states.leases,
    outbound: call,
    tokens: createPartyTokens({ outbound: call, vault: createVault(key), clock: systemClock }),
    clock: systemClock, pause: systemPause, random: Math.random, ring,
    owner: createIds(systemClock).nonce(),
  });
  lifecycle.onRelease('dispatcher-end', () => dispatcher.stop());
  return dispatcher;
}

function limitsOf(config: WorkersConfig): Parameters<typeof createDispatcher>[0] {
  const own: DispatcherConfig = {
    ...DISPATCHER_LIMITS,
    backoffFirstMs: config.RASTRO_DISPATCH_BACKOFF_FIRST_MS,
    backoffMsMax: config.RASTRO_DISPATCH_BACKOFF_MS_MAX,
    throttledMs: config.RASTRO_DISPATCH_THROTTLED_MS,
    inFlightMaxPerProvider: config.RASTRO_DISPATCH_PER_PROVIDER_MAX,
    pendingMaxPerProvider: config.RASTRO_DISPATCH_PENDING_MAX,
    requestMsMax: config.RASTRO_DISPATCH_REQUEST_MS_MAX,
    leaseMs: config.RASTRO_DISPATCH_LEASE_MS,
    renewMs: Math.round(config.RASTRO_DISPATCH_LEASE_MS / 5),
  };
  const topics = {
    commands: TOPICS.providerCommands.name, results: TOPICS.providerCommandResults.name,
  };
  return { ...POISON_FLOOD_LIMITS, ...own, topics };
}

function ring(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
