import { openOutbound } from '../adapters/outbound/outbound.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import type { RedisStates } from '../adapters/redis/open-redis.ts';
import { createPersonalSeals } from '../adapters/secrets/personal-seals.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';
import type { States } from '../state/create-states.ts';
import type { WorkersConfig } from './assemble-config.ts';
import { createAuthorizer, type Authorizer } from './parties/authorizations/authorizer.ts';
import { AUTHORIZER_LIMITS, type AuthorizerConfig } from './parties/authorizations/config.ts';
import { createPartyTokens } from './parties/common/party-tokens.ts';

/** What the authorizer is put together from. */
export interface AuthorizerParts {
  readonly config: WorkersConfig;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  readonly states: RedisStates & States;
  readonly kafka: KafkaLog;
  readonly onCrash: (error: unknown) => void;
}

const ANSWER_BYTES_MAX = 65_536;

/** Opens the authorizer; throws when it cannot open secrets or a call outlasts its lease. */
export function openAuthorizer(parts: AuthorizerParts): Authorizer {
  const { config, signals, lifecycle, states, kafka, onCrash } = parts;
  const key = config.RASTRO_VAULT_KEY;
  if (key === undefined) throw new Error('The authorizer needs RASTRO_VAULT_KEY.');
  const personalKey = config.RASTRO_PERSONAL_KEY;
  if (personalKey === undefined) throw new Error('The authorizer needs RASTRO_PERSONAL_KEY.');
  const limits = limitsOf(config);
  const timeoutMs = config.RASTRO_DISPATCH_REQUEST_MS_MAX;
  // A refused token may make it three requests: the call, a new token, the call once more.
  if (limits.leaseMs <= 3 * timeoutMs + limits.appendMsMax) {
    throw new Error('RASTRO_DISPATCH_REQUEST_MS_MAX is too long for the lease of a call.');
  }
  const { call, close } = openOutbound({
    allowsInsecure: config.RASTRO_DISPATCH_INSECURE,
    allowsPrivate: config.RASTRO_DISPATCH_PRIVATE,
    refusesLoopback: !config.RASTRO_DISPATCH_LOOPBACK,
    timeoutMs,
    answerBytesMax: ANSWER_BYTES_MAX,
    socketsMaxPerHost: limits.inFlightMaxPerCarrier,
  });
  lifecycle.onRelease('authorizer-outbound', close);
  return createAuthorizer(limits, {
    calls: states.authorizationCalls,
    parties: states.parties,
    personal: createPersonalSeals(personalKey, {
      states: states.personalKeys, log: kafka.recordLog, clock: systemClock,
    }),
    outbound: call,
    tokens: createPartyTokens({ outbound: call, vault: createVault(key), clock: systemClock }),
    log: kafka.recordLog,
    clock: systemClock, pause: systemPause, signals, onCrash,
  });
}

function limitsOf(config: WorkersConfig): AuthorizerConfig {
  return {
    ...AUTHORIZER_LIMITS,
    pollMs: config.RASTRO_AUTHORIZER_POLL_MS,
    retry: {
      tries_max: config.RASTRO_AUTHORIZATION_TRIES_MAX,
      first_wait_seconds: config.RASTRO_AUTHORIZATION_FIRST_WAIT_SECONDS,
      wait_seconds_max: config.RASTRO_AUTHORIZATION_WAIT_SECONDS_MAX,
    },
  };
}
