import { TOPICS } from '../../schemas/generated/catalog.ts';
import { createReadJson } from '../adapters/http/json/read-json.ts';
import { openImages } from '../adapters/images/images.ts';
import { openOutbound } from '../adapters/outbound/outbound.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createPersonalSeals } from '../adapters/secrets/personal-seals.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import { createWebhookSigner } from '../adapters/secrets/webhook-signer.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import { countChecks, examineParty } from '../conformance/assemble.ts';
import { NOTIFICATIONS_BYTES_MAX } from '../kernel/limits.ts';
import type { Outbound } from '../kernel/outbound.ts';
import type { PartyRecorded } from '../kernel/parties.ts';
import type { PersonalSeals } from '../kernel/personal.ts';
import {
  authorizerConfigOf, commandSenderConfigOf, pullerConfigOf, webhookSenderConfigOf,
  type WorkerParts, type WorkersConfig,
} from './assemble-config.ts';
import { foldPortsOf, keepFolded } from './assemble-folds.ts';
import { CRASH_BREAKER_LIMITS } from './common/crash-breaker.ts';
import type { DeadLetters } from './common/dead-letters.ts';
import { POISON_FLOOD_LIMITS } from './common/poison-flood.ts';
import { createAuthorizer } from './parties/authorizations/authorizer.ts';
import { createCommandSender, type CommandSender } from './parties/commands/pipeline.ts';
import type { DueRunner } from './parties/common/due-runner.ts';
import { createItemDefects, type ItemDefects } from './parties/common/item-defects.ts';
import { createPartyTokens, type PartyTokens } from './parties/common/party-tokens.ts';
import { EXAMINER_LIMITS } from './parties/examinations/config.ts';
import { createExaminer, type PartyKit } from './parties/examinations/examiner.ts';
import { createPuller } from './parties/feeds/puller.ts';
import { createWebhookSender } from './parties/webhooks/webhook-sender.ts';
import type { WorkerId } from './workers.ts';

/** What the workers that call other parties are put together from. */
export interface PartiesParts extends WorkerParts {
  readonly deadLetters: DeadLetters;
}

const ANSWER_BYTES_MAX = 65_536;
/** One notification may be as large as a whole push; the rest is the page around it. */
const PAGE_BYTES_MAX = NOTIFICATIONS_BYTES_MAX + 65_536;
/** Audience of feeds (decisions.md, Scopes), whatever the party asks tokens for otherwise. */
const FEED_AUDIENCE = 'tracking-pull';

/** Opens the sender of commands; throws without its secrets, or when a lease is too short. */
export function openCommandSender(parts: PartiesParts): CommandSender {
  const { config, lifecycle, states, kafka } = parts;
  const limits = commandSenderConfigOf(config);
  if (limits.leaseMs <= limits.requestMsMax + limits.renewMs + 1_000) {
    throw new Error('RASTRO_COMMANDS_LEASE_MS must be longer than a request and a renewal.');
  }
  const topics = {
    commands: TOPICS.providerCommands.name, results: TOPICS.providerCommandResults.name,
  };
  const sender = createCommandSender({ ...POISON_FLOOD_LIMITS, ...limits, topics }, {
    ...foldPortsOf(parts), ...parts, itemDefects: itemDefectsOf(parts, 'parties.commands'),
    ...openCalls(parts, 'parties.commands', ANSWER_BYTES_MAX, limits.inFlightMaxPerProvider),
    log: kafka.recordLog,
    parties: states.parties, commands: states.commands, leases: states.leases,
    clock: systemClock, pause: systemPause, random: Math.random, ring,
    owner: createIds(systemClock).nonce(),
  });
  lifecycle.onRelease('parties.commands-end', () => sender.stop());
  keepFolded('commands', sender.keepUp, parts);
  return sender;
}

/** Opens the caller of carriers; throws without its secrets. */
export function openAuthorizer(parts: PartiesParts): DueRunner {
  const { config, signals, states, kafka, onCrash } = parts;
  const limits = authorizerConfigOf(config);
  return createAuthorizer(limits, {
    ...openCalls(parts, 'parties.authorizations', ANSWER_BYTES_MAX, limits.inFlightMaxPerParty),
    itemDefects: itemDefectsOf(parts, 'parties.authorizations'),
    calls: states.authorizationCalls,
    parties: states.parties,
    personal: openSeals(parts, 'parties.authorizations'),
    log: kafka.recordLog,
    clock: systemClock, pause: systemPause, signals, onCrash,
  });
}

/** Opens the poller of feeds; throws without its secrets. */
export function openPuller(parts: PartiesParts): DueRunner {
  const { config, signals, states, kafka, deadLetters, onCrash } = parts;
  const limits = pullerConfigOf(config);
  return createPuller(limits, {
    ...openCalls(
      parts, 'parties.feeds', PAGE_BYTES_MAX, limits.inFlightMaxPerParty, FEED_AUDIENCE,
    ),
    itemDefects: itemDefectsOf(parts, 'parties.feeds'),
    feeds: states.feeds, parties: states.parties, shipments: states.shipments,
    log: kafka.recordLog,
    images: openImages(
      { folder: config.RASTRO_IMAGE_DIR, key: config.RASTRO_IMAGE_KEY }, { signals },
    ),
    personal: openSeals(parts, 'parties.feeds'),
    readItem: createReadJson(),
    checkItem: loadSchemas().checkOf('NotificationsBody'),
    digest: sha256, random: Math.random,
    clock: systemClock, pause: systemPause, deadLetters, signals, onCrash,
  });
}

/** Opens the sender of webhooks; throws without its secrets. */
export function openWebhookSender(parts: PartiesParts): DueRunner {
  const { config, signals, states, kafka, onCrash } = parts;
  const limits = webhookSenderConfigOf(config);
  const vault = createVault(required(config, 'RASTRO_VAULT_KEY', 'parties.webhooks'));
  return createWebhookSender(limits, {
    outbound: openCalling(
      parts, 'parties.webhooks', ANSWER_BYTES_MAX,
      limits.inFlightMaxPerParty * limits.keysAtOnceMax,
    ),
    signer: createWebhookSigner(vault),
    itemDefects: itemDefectsOf(parts, 'parties.webhooks'),
    webhooks: states.webhooks, access: states.access,
    log: kafka.recordLog, rangeReader: kafka.rangeReader,
    extents: (topics) => kafka.follower.extents(topics),
    random: Math.random, clock: systemClock, pause: systemPause, signals, onCrash,
  });
}

/** Opens the examiner of addresses; throws without its secrets. */
export function openExaminer(parts: PartiesParts): DueRunner {
  const { config, signals, states, onCrash } = parts;
  const worker = 'parties.examinations';
  const outbound = openCalling(parts, worker, ANSWER_BYTES_MAX, EXAMINER_LIMITS.inFlightMax * 5);
  return createExaminer(EXAMINER_LIMITS, {
    outbound, vault: createVault(required(config, 'RASTRO_VAULT_KEY', worker)),
    kit: kitOver(outbound),
    itemDefects: itemDefectsOf(parts, worker),
    examinations: states.examinations, parties: states.parties,
    clock: systemClock, pause: systemPause, signals, onCrash,
  });
}

/** The conformance kit at the address of a party, by calls that the settings allow. */
export function kitOver(outbound: Outbound): PartyKit {
  const schemas = loadSchemas();
  const sideOf = ({ kind, feed }: PartyRecorded) => ({ role: kind, hasFeed: feed === true });
  return {
    count: (party) => countChecks(sideOf(party)),
    run: ({ party, examination: { country, run }, ...rest }) => examineParty({
      ...sideOf(party), target: party.base_url, country, run, secondsMax: rest.secondsMax,
    }, { ...rest, outbound, schemas, clock: systemClock, pause: systemPause }),
  };
}

/** At which items of a worker defects ended its process. */
function itemDefectsOf({ states }: PartiesParts, worker: WorkerId): ItemDefects {
  return createItemDefects(CRASH_BREAKER_LIMITS, states.defectsOf(worker));
}

/** Requests to other parties, each with the token that its party wants. */
function openCalls(
  parts: PartiesParts, worker: string, answerBytesMax: number, socketsMaxPerHost: number,
  audience?: string,
): { readonly outbound: Outbound; readonly tokens: PartyTokens } {
  const vault = createVault(required(parts.config, 'RASTRO_VAULT_KEY', worker));
  const outbound = openCalling(parts, worker, answerBytesMax, socketsMaxPerHost);
  const { signals } = parts;
  const tokens = createPartyTokens({ outbound, vault, clock: systemClock, signals }, audience);
  return { outbound, tokens };
}

/** Requests to addresses that the settings allow. */
function openCalling(
  { config, lifecycle }: PartiesParts, worker: string, answerBytesMax: number,
  socketsMaxPerHost: number,
): Outbound {
  const { call, close } = openOutbound({
    allowsInsecure: config.RASTRO_PARTY_INSECURE,
    allowsPrivate: config.RASTRO_PARTY_PRIVATE,
    refusesLoopback: !config.RASTRO_PARTY_LOOPBACK,
    timeoutMs: config.RASTRO_PARTY_REQUEST_MS_MAX,
    answerBytesMax, socketsMaxPerHost,
  });
  lifecycle.onRelease(`${worker}-outbound`, close);
  return call;
}

function openSeals({ config, states, kafka }: PartiesParts, worker: string): PersonalSeals {
  return createPersonalSeals(required(config, 'RASTRO_PERSONAL_KEY', worker), {
    states: states.personalKeys, log: kafka.recordLog, clock: systemClock,
  });
}

function required(
  config: WorkersConfig, name: 'RASTRO_VAULT_KEY' | 'RASTRO_PERSONAL_KEY', worker: string,
): string {
  const value = config[name];
  if (value === undefined) throw new Error(`The worker ${worker} needs ${name}.`);
  return value;
}

function ring(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
