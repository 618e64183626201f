import { TOPICS } from '../../schemas/generated/catalog.ts';
import { openOutbound } from '../../services/adapters/outbound/outbound.ts';
import { createVault } from '../../services/adapters/secrets/vault.ts';
import { createWebhookSigner } from '../../services/adapters/secrets/webhook-signer.ts';
import { systemPause } from '../../services/adapters/system/system.ts';
import { LIVE_RANGE, rangeOf } from '../../services/domain/webhook/webhook.ts';
import type { LogFollower } from '../../services/kernel/log-follower.ts';
import type { LogRangeReader } from '../../services/kernel/log-watch.ts';
import type { RecordLog } from '../../services/kernel/record-log.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import type { WebhookRecorded } from '../../services/kernel/webhooks.ts';
import type { States } from '../../services/state/create-states.ts';
import { WEBHOOK_LIMITS } from '../../services/workers/parties/webhooks/config.ts';
import { createWebhookSender } from '../../services/workers/parties/webhooks/webhook-sender.ts';
import { memoryItemDefects } from './memory-defects.ts';
import { aPlatform, aWebhook, JOURNEY, WEBHOOK_VAULT_KEY } from './webhook-env.ts';

/** The real parts that a run works with. */
export interface WebhookParts {
  readonly log: RecordLog;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
  readonly extents: LogFollower['extents'];
  readonly states: Pick<States, 'access' | 'webhooks'>;
}

/** Senders on real parts, whose clock a test moves. */
export interface WebhookRun {
  /** By how much the clock of the senders is ahead, in ms. */
  aheadMs: number;
  readonly clientId: string;
  /** Makes a webhook for what comes from now on. */
  add(webhookId: string, url: string): Promise<WebhookRecorded>;
  /** Starts one sender as its deployable does; several share the outboxes. */
  start(): { stop(): Promise<void> };
  /** Appends journeys of so many shipments in turns, `count` in all. */
  append(shipments: readonly string[], count: number): Promise<void>;
}

/** Opens a run with one client of the platform. */
export async function openWebhookRun(parts: WebhookParts): Promise<WebhookRun> {
  const { log, rangeReader, extents, states } = parts;
  const client = aPlatform();
  await states.access.applyClient(client);
  const clock = { nowMs: (): number => Date.now() + run.aheadMs };
  const run: WebhookRun = {
    aheadMs: 0,
    clientId: client.client_id,
    async add(webhook_id, url) {
      const found = await extents([JOURNEY]);
      const range = rangeOf(LIVE_RANGE, found.map(({ topic, topicId, partition, end }) => (
        { topic, topicId, partition, start: Number(end) }
      )));
      const webhook = aWebhook(client.client_id, { webhook_id, url, ranges: [range] });
      await states.webhooks.apply(webhook);
      return webhook;
    },
    start() {
      const { call: outbound, close } = openOutbound({
        allowsInsecure: false, allowsPrivate: false, timeoutMs: 2_000, answerBytesMax: 1_000,
        socketsMaxPerHost: WEBHOOK_LIMITS.inFlightMaxPerParty * WEBHOOK_LIMITS.keysAtOnceMax,
      });
      const sender = createWebhookSender({ ...WEBHOOK_LIMITS, pollMs: 50, endsMs: 100 }, {
        log, rangeReader, extents, outbound, clock, access: states.access,
        webhooks: states.webhooks, signer: createWebhookSigner(createVault(WEBHOOK_VAULT_KEY)),
        random: Math.random, pause: systemPause, signals: silentSignals,
        itemDefects: memoryItemDefects(), onCrash: (error) => { throw error; },
      });
      sender.start();
      return {
        async stop() {
          await sender.stop();
          close();
        },
      };
    },
    async append(shipments, count) {
      const facts = Array.from({ length: count }, (_, at) => shipments[at % shipments.length] ?? '');
      for (let at = 0; at < count; at += 1_000) {
        await Promise.all(facts.slice(at, at + 1_000).map((key, nth) => log.append({
          topic: TOPICS.journey.name, key, headers: {},
          value: Buffer.from(JSON.stringify({
            type: 'JourneyRecorded', tracking_number: key, client_id: client.client_id,
            code: String(at + nth),
          })),
        }, Date.now() + 30_000)));
      }
    },
  };
  return run;
}
