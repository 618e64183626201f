import { createReadJson } from '../adapters/http/json/read-json.ts';
import { openImages } from '../adapters/images/images.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { openOutbound } from '../adapters/outbound/outbound.ts';
import type { RedisStates } from '../adapters/redis/open-redis.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createPersonalSeals } from '../adapters/secrets/personal-seals.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import { NOTIFICATIONS_BYTES_MAX } from '../kernel/limits.ts';
import type { Signals } from '../kernel/signals.ts';
import type { States } from '../state/create-states.ts';
import type { WorkersConfig } from './assemble-config.ts';
import type { DeadLetters } from './common/dead-letters.ts';
import { createPartyTokens } from './parties/common/party-tokens.ts';
import { PULLER_LIMITS, type PullerConfig } from './parties/feeds/config.ts';
import { createPuller, type Puller } from './parties/feeds/puller.ts';

/** What the puller is put together from. */
export interface PullerParts {
  readonly config: WorkersConfig;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  readonly states: RedisStates & States;
  readonly kafka: KafkaLog;
  readonly deadLetters: DeadLetters;
  readonly onCrash: (error: unknown) => void;
}

/** One notification may be as large as a whole push; the rest is the page around it. */
const ANSWER_BYTES_MAX = NOTIFICATIONS_BYTES_MAX + 65_536;
/** Audience of feeds (decisions.md, Scopes), whatever the party asks tokens for otherwise. */
const AUDIENCE = 'tracking-pull';
/** A refused token may make it four requests: a token and a page, twice. */
const REQUESTS_MAX = 4;
const LEASE_RESERVE_MS = 5_000;

/** Opens the puller; throws when it cannot open secrets. */
export function openPuller(parts: PullerParts): Puller {
  const { config, signals, lifecycle, states, kafka, deadLetters, onCrash } = parts;
  const key = config.RASTRO_VAULT_KEY;
  const personalKey = config.RASTRO_PERSONAL_KEY;
  if (key === undefined) throw new Error('The puller needs RASTRO_VAULT_KEY.');
  if (personalKey === undefined) throw new Error('The puller needs RASTRO_PERSONAL_KEY.');
  const limits = limitsOf(config);
  const { call, close } = openOutbound({
    allowsInsecure: config.RASTRO_DISPATCH_INSECURE,
    allowsPrivate: config.RASTRO_DISPATCH_PRIVATE,
    refusesLoopback: !config.RASTRO_DISPATCH_LOOPBACK,
    timeoutMs: config.RASTRO_DISPATCH_REQUEST_MS_MAX,
    answerBytesMax: ANSWER_BYTES_MAX,
    socketsMaxPerHost: limits.inFlightMaxPerCarrier,
  });
  lifecycle.onRelease('puller-outbound', close);
  const tokens = { outbound: call, vault: createVault(key), clock: systemClock };
  return createPuller(limits, {
    feeds: states.feeds, parties: states.parties, shipments: states.shipments,
    outbound: call,
    tokens: createPartyTokens(tokens, AUDIENCE),
    log: kafka.recordLog,
    images: openImages(
      { folder: config.RASTRO_IMAGE_DIR, key: config.RASTRO_IMAGE_KEY }, { signals },
    ),
    personal: createPersonalSeals(personalKey, {
      states: states.personalKeys, log: kafka.recordLog, clock: systemClock,
    }),
    readItem: createReadJson(),
    checkItem: loadSchemas().checkOf('NotificationsBody'),
    digest: sha256, random: Math.random,
    clock: systemClock, pause: systemPause, deadLetters, signals, onCrash,
  });
}

function limitsOf(config: WorkersConfig): PullerConfig {
  const appendMsMax = config.RASTRO_PULLER_APPEND_MS_MAX;
  return {
    ...PULLER_LIMITS,
    lookMs: config.RASTRO_PULLER_LOOK_MS,
    periodMs: config.RASTRO_PULLER_PERIOD_MS,
    unknownMs: config.RASTRO_PULLER_UNKNOWN_MS,
    jitterShare: config.RASTRO_PULLER_JITTER_SHARE,
    backoffFirstMs: config.RASTRO_PULLER_BACKOFF_FIRST_MS,
    backoffMsMax: config.RASTRO_PULLER_BACKOFF_MS_MAX,
    appendMsMax,
    pageItemsMax: config.RASTRO_PULLER_PAGE_ITEMS_MAX,
    inFlightMax: config.RASTRO_PULLER_IN_FLIGHT_MAX,
    inFlightMaxPerCarrier: config.RASTRO_PULLER_PER_CARRIER_MAX,
    leaseMs: config.RASTRO_DISPATCH_REQUEST_MS_MAX * REQUESTS_MAX + appendMsMax + LEASE_RESERVE_MS,
  };
}
