import type { KafkaClient, TopicSpec } from '../../services/adapters/kafka/config.ts';
import { openOutbound } from '../../services/adapters/outbound/outbound.ts';
import { REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import { openRedis } from '../../services/adapters/redis/open-redis.ts';
import { createVault } from '../../services/adapters/secrets/vault.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import type { RecordLog } from '../../services/kernel/record-log.ts';
import { createStates } from '../../services/state/create-states.ts';
import { createAuthorizer } from '../../services/workers/parties/authorizations/authorizer.ts';
import { silentSignals, type Signals } from '../../services/kernel/signals.ts';
import {
  AUTHORIZER_LIMITS, type AuthorizerConfig,
} from '../../services/workers/parties/authorizations/config.ts';
import { createPartyTokens } from '../../services/workers/parties/common/party-tokens.ts';
import { TEST_VAULT_KEY } from './command-sender-run.ts';
import { openLog } from './kafka-logs.ts';
import { fakePersonal } from './fake-personal.ts';
import { memoryItemDefects } from './memory-defects.ts';

/** The settings of one authorizer; its own process gets them as JSON. */
export interface AuthorizerSpec {
  readonly client: KafkaClient;
  readonly brokers: string;
  /** Address with the number of the database. */
  readonly redisUrl: string;
  /** Where the result of each try goes. */
  readonly topic: TopicSpec;
  readonly requestMsMax: number;
  readonly config: Partial<AuthorizerConfig>;
}

/** A log that writes everything into one topic, whatever topic a record names. */
export function logInto(topic: TopicSpec, log: RecordLog): RecordLog {
  return {
    append: (record, deadlineMs) => log.append({ ...record, topic: topic.name }, deadlineMs),
  };
}

/** Runs the authorizer as its deployable does, on the real log and state store. */
export async function runAuthorizer(
  spec: AuthorizerSpec, signals: Signals = silentSignals,
): Promise<{ stop(): Promise<void> }> {
  const limits = { ...AUTHORIZER_LIMITS, ...spec.config };
  const kafka = openLog(spec.client, spec.brokers, [spec.topic]);
  const redis = { ...REDIS_DEFAULTS, url: spec.redisUrl };
  const states = createStates(
    redis, await openRedis(redis, { signals: silentSignals, clock: systemClock }),
  );
  const outbound = openOutbound({
    allowsInsecure: false, allowsPrivate: false, timeoutMs: spec.requestMsMax,
    answerBytesMax: 65_536, socketsMaxPerHost: limits.inFlightMaxPerParty,
  });
  const vault = createVault(TEST_VAULT_KEY);
  const authorizer = createAuthorizer(limits, {
    calls: states.authorizationCalls, parties: states.parties, outbound: outbound.call,
    tokens: createPartyTokens({
      outbound: outbound.call, vault, clock: systemClock, signals: silentSignals,
    }),
    personal: fakePersonal(),
    log: logInto(spec.topic, kafka.recordLog),
    clock: systemClock, pause: systemPause, signals,
    itemDefects: memoryItemDefects(),
    onCrash: (error) => { throw error; },
  });
  authorizer.start();
  return {
    async stop() {
      await authorizer.stop();
      outbound.close();
      await kafka.close(Date.now() + 2_000);
      await states.close();
    },
  };
}
