import { TOPICS } from '../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../services/adapters/schema/load-schemas.ts';
import { createVault } from '../../services/adapters/secrets/vault.ts';
import { createWebhookSigner } from '../../services/adapters/secrets/webhook-signer.ts';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import type { LogRecord } from '../../services/kernel/record-log.ts';
import type { OutboundReply, OutboundRequest } from '../../services/kernel/outbound.ts';
import type { SchemaCheck } from '../../services/kernel/schemas.ts';
import type {
  WebhookOutboxRead, WebhookRecorded, WebhookTried,
} from '../../services/kernel/webhooks.ts';
import { webhookSecret } from '../../services/domain/webhook/message.ts';
import { LIVE_RANGE, rangeOf } from '../../services/domain/webhook/webhook.ts';
import type { DueRunner } from '../../services/workers/parties/common/due-runner.ts';
import {
  WEBHOOK_LIMITS, type WebhookSenderConfig,
} from '../../services/workers/parties/webhooks/config.ts';
import {
  createWebhookSender, type WebhookSenderPorts,
} from '../../services/workers/parties/webhooks/webhook-sender.ts';
import { fakeRecordLog, type FakeRecordLog } from './fake-log.ts';
import { fakeSignals } from './fake-signals.ts';
import { memoryItemDefects } from './memory-defects.ts';
import { memoryStates } from './memory-states.ts';
import { aClient } from './state-facts.ts';

/** When the tests begin. */
export const START_MS = 1_764_000_000_000;
/** Topic of most tests. */
export const JOURNEY = TOPICS.journey.name;
/** Id of the topics before one is made again. */
export const TOPIC_ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const PARTITIONS = 3;
/** The key of the vault that sealed the secrets here. */
export const WEBHOOK_VAULT_KEY = Buffer.alloc(32, 7).toString('base64');
const VAULT = createVault(WEBHOOK_VAULT_KEY);
const SCHEMAS = loadSchemas();
const CHECKS: Readonly<Record<string, SchemaCheck>> = {
  [TOPICS.webhookDeliveries.name]: SCHEMAS.checkOf('WebhookTried'),
  [TOPICS.webhookOutboxes.name]: SCHEMAS.checkOf('WebhookOutboxRead'),
};
const SIGNER = createWebhookSigner(VAULT);

/** The secret of the first webhook. */
export const SECRET = webhookSecret(Buffer.alloc(32, 9).toString('base64url'));

/** A client of the platform, which follows everything. */
export function aPlatform(wishes: Partial<ClientRecorded> = {}): ClientRecorded {
  return aClient({ audiences: ['platform'], scopes: ['platform:read'], providers: [], ...wishes });
}

/** Everything around a sender of webhooks in memory; `worker` makes one more, as a restart does. */
export type WebhookEnv = ReturnType<typeof createWebhookEnv>;

/** Makes an environment with one client, one webhook for journeys, and an empty log. */
export function createWebhookEnv() {
  const client = aPlatform();
  const parts = new Map<string, LogRecord[][]>();
  const env = {
    nowMs: START_MS,
    client,
    log: checkedLog(),
    states: memoryStates((): number => env.nowMs),
    topicId: TOPIC_ID,
    /** First offset that each partition has, by `topic:partition`. */
    starts: new Map<string, number>(),
    posts: [] as OutboundRequest[],
    lines: [] as string[],
    gauges: new Map<string, number>(),
    crashes: [] as unknown[],
    receive: (_request: OutboundRequest): OutboundReply | Promise<OutboundReply> => answer(204),
    webhook: aWebhook(client.client_id),
    /** A fact of a key in the log; a journey of the client unless the test says otherwise. */
    add(
      key: string, partition = 0, topic: string = JOURNEY,
      value: object = { client_id: client.client_id },
    ): string {
      const own = partsOf(topic)[partition] ?? [];
      const fact = { type: 'JourneyRecorded', tracking_number: key, ...value };
      const record: LogRecord = {
        topic, topicId: env.topicId, partition, offset: BigInt(own.length), key, schemaId: 1,
        value: Buffer.from(JSON.stringify(fact)), headers: {}, timestampMs: env.nowMs,
      };
      own.push(record);
      return `${env.topicId}:${partition}:${record.offset}`;
    },
    async begin(...webhooks: readonly WebhookRecorded[]): Promise<void> {
      await env.states.access.applyClient(client);
      for (const webhook of webhooks.length === 0 ? [env.webhook] : webhooks) {
        await env.states.webhooks.apply(webhook);
      }
    },
    worker: (
      limits: Partial<WebhookSenderConfig> = {}, change: Partial<WebhookSenderPorts> = {},
    ): DueRunner => (
      createWebhookSender({ ...WEBHOOK_LIMITS, endsMs: 0, ...limits }, { ...ports(), ...change })
    ),
    /** Polls until nothing new is posted, so many times at most. */
    async untilQuiet(worker: DueRunner = env.worker(), pollsMax = 50): Promise<void> {
      for (let poll = 0; poll < pollsMax; poll += 1) {
        const before = `${env.posts.length} ${env.log.appended.length}`;
        await worker.poll();
        if (`${env.posts.length} ${env.log.appended.length}` === before) return;
      }
    },
    /** Lets time pass in steps, polling after each. */
    async pass(ms: number, stepMs = 60_000, worker: DueRunner = env.worker()): Promise<void> {
      for (const untilMs = env.nowMs + ms; env.nowMs < untilMs;) {
        env.nowMs += stepMs;
        await env.untilQuiet(worker);
      }
    },
    /** Wipes the state store and brings it back from what the log has. */
    async wipe(): Promise<void> {
      env.states.store.wipe();
      env.states.markReady();
      await env.begin();
      for (const { value } of env.log.of(TOPICS.webhookOutboxes.name)) {
        await env.states.webhooks.advance(value as WebhookOutboxRead);
      }
    },
    /** Ids of the facts as they were posted. */
    ids: (): string[] => env.posts.map(({ headers }) => headers['webhook-id'] ?? ''),
    tried: (): WebhookTried[] => (
      env.log.of(TOPICS.webhookDeliveries.name).map(({ value }) => value as WebhookTried)
    ),
  };

  function partsOf(topic: string): LogRecord[][] {
    const found = parts.get(topic) ?? Array.from({ length: PARTITIONS }, (): LogRecord[] => []);
    parts.set(topic, found);
    return found;
  }

  function ports(): WebhookSenderPorts {
    return {
      webhooks: env.states.webhooks, access: env.states.access, log: env.log,
      clock: { nowMs: () => env.nowMs }, random: () => 0, signer: SIGNER,
      pause: async () => undefined, itemDefects: memoryItemDefects(),
      onCrash: (error) => { env.crashes.push(error); },
      signals: fakeSignals({
        line: (level, event) => { env.lines.push(`${level} ${event}`); },
        metric: (name, value) => { env.gauges.set(name, value); },
      }),
      extents: async (topics) => topics.flatMap((topic) => (
        partsOf(topic).map((records, partition) => ({
          topic, partition, topicId: env.topicId,
          start: BigInt(env.starts.get(`${topic}:${partition}`) ?? 0), end: BigInt(records.length),
        }))
      )),
      rangeReader: {
        readRanges: async (ranges, onRecords) => {
          for (const { topic, partition, start, end } of ranges) {
            const own = partsOf(topic)[partition] ?? [];
            await onRecords(own.filter(({ offset }) => offset >= start && offset < end));
          }
        },
      },
      outbound: async (request) => {
        env.posts.push(request);
        return Promise.resolve(env.receive(request));
      },
    };
  }

  return env;
}

/** Which shipment a post is about. */
export function trackingNumberOf({ body }: Pick<OutboundRequest, 'body'>): string {
  const message = JSON.parse(Buffer.from(body ?? []).toString()) as {
    data: { fact: { tracking_number: string } };
  };
  return message.data.fact.tracking_number;
}

/** A log that throws for what does not follow the schema of its topic. */
function checkedLog(): FakeRecordLog {
  const log = fakeRecordLog();
  return {
    ...log,
    append: async (record, deadlineMs) => {
      const explain = CHECKS[record.topic]?.(JSON.parse(String(record.value)));
      if (explain !== undefined) throw new Error(JSON.stringify(explain()));
      return log.append(record, deadlineMs);
    },
  };
}

/** An answer of a receiver. */
export function answer(status: number, headers: Record<string, string> = {}): OutboundReply {
  return { kind: 'answer', status, headers, body: Buffer.alloc(0), isCut: false };
}

/** A webhook for journeys from the beginning of the log on. */
export function aWebhook(
  clientId: string, wishes: Partial<WebhookRecorded> = {}, topics: readonly string[] = [JOURNEY],
): WebhookRecorded {
  return {
    type: 'WebhookRecorded', webhook_id: 'w-000000000001', client_id: clientId, name: 'Receiver',
    url: 'https://receiver.example/hook', kinds: ['journey'], skipped: [],
    secrets: [{ sealed: VAULT.seal(SECRET), created_at_ms: START_MS }],
    ranges: [rangeOf(LIVE_RANGE, topics.flatMap((topic) => (
      Array.from({ length: PARTITIONS }, (_, partition) => (
        { topic, topicId: TOPIC_ID, partition, start: 0 }
      ))
    )))],
    status: 'active', version: 1, at_ms: START_MS, ...wishes,
  };
}
