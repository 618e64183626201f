import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { waitFor } from '../../../infra/local/wait.ts';
import { webhookCommand } from '../../../services/cli/webhook/command.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import { callAt } from '../../support/platform-calls.ts';
import { webhookReceiver, type ReceivedPost } from '../../support/webhook-receiver.ts';
import { valueOf } from '../../support/report-value.ts';
import { addClient, tokenOf } from './new-client.ts';

/** What the owner of an honest webhook saw in a span of time. */
export interface WebhookFigures {
  /** The longest time from the answer to a call to the post of its fact, or until now. */
  readonly waitedMsMax: number;
  /** Posts with a wrong signature, and devices whose start came before their registration. */
  readonly wrong: number;
}

/** A provider with a webhook, which registers a device and starts it, all the time. */
export interface HonestWebhook {
  readonly clientId: string;
  /** What was seen since this was asked last. */
  seen(): WebhookFigures;
  /** Calls nothing more, and waits until each fact was posted; rejects when one does not come. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

const LIFE = ['DeviceRegistered', 'DeviceTrackingStarted'];
const EVERY_MS = 500;
const FIRST_TRANSPORT = 7_000_000;
const RTT = '/shipping/rtt/devices';
const COUNTRY = '?country_id=BR';
const FINISH_MS_MAX = 60_000;

/** Starts the owner, with a client, a webhook and a receiver of its own. */
export async function startWebhookOwner(cluster: TestCluster): Promise<HonestWebhook> {
  const url = cluster.gateways[0]?.url ?? '';
  const client = await addClient(cluster.operator, [
    '--name', 'Owner', '--user', 'owner', '--provider', 'owner', '--audience', 'rtt',
    '--scope', 'rtt:devices,query:read',
  ]);
  const token = await tokenOf(url, client, 'rtt');
  const leaving = new AbortController();
  /** When the facts of a device that are not posted yet were in the log, by its id. */
  const waiting = new Map<string, number>();
  const lives = new Map<string, string[]>();
  let waitedMsMax = 0;
  let wrong = 0;

  function take(post: ReceivedPost): void {
    const { type, key } = post;
    const life = lives.get(key) ?? [];
    lives.set(key, life);
    if (!isSigned(secret, post) || LIFE.indexOf(type) > life.length) wrong += 1;
    if (!life.includes(type)) life.push(type);
    const sinceMs = waiting.get(key);
    if (life.length < LIFE.length || sinceMs === undefined) return;
    waitedMsMax = Math.max(waitedMsMax, performance.now() - sinceMs);
    waiting.delete(key);
  }

  const receiver = await webhookReceiver(take);
  const { secret } = valueOf(await webhookCommand(cluster.operator, [
    'add', '--client', client.clientId, '--name', 'Owner', '--kind', 'device',
    '--url', receiver.url,
  ])) as { readonly secret: string };

  async function liveDevices(): Promise<void> {
    for (let nth = 0; !leaving.signal.aborted; nth += 1) {
      await liveDevice(nth).catch(() => undefined);
      await delay(EVERY_MS, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  }

  async function liveDevice(nth: number): Promise<void> {
    const { status, body } = await callAt(url, RTT + COUNTRY, {
      token, body: {
        external_entity: { entity_id: `owner-${nth}`, entity_type: 'truck' },
        transport: { id: FIRST_TRANSPORT + nth },
      },
    });
    const id = String(body['id']);
    if (status !== 201) return;
    const started = await callAt(url, `${RTT}/${id}/start_tracking${COUNTRY}`, { token });
    if (started.status < 300 && lives.get(id)?.length !== LIFE.length) {
      waiting.set(id, performance.now());
    }
  }

  const ended = liveDevices();
  return {
    clientId: client.clientId,
    seen() {
      const nowMs = performance.now();
      const seen = {
        waitedMsMax: Math.round(
          Math.max(waitedMsMax, ...[...waiting.values()].map((sinceMs) => nowMs - sinceMs)),
        ),
        wrong,
      };
      [waitedMsMax, wrong] = [0, 0];
      return seen;
    },
    async finish() {
      leaving.abort();
      await ended;
      await waitFor(() => waiting.size === 0, {
        what: 'The post of each fact of the honest webhook', deadlineMs: FINISH_MS_MAX,
      });
    },
    async close() {
      leaving.abort();
      await ended;
      receiver.close();
    },
  };
}

function isSigned(secret: string, { headers, body }: ReceivedPost): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
