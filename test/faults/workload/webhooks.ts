import { setTimeout as delay } from 'node:timers/promises';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { webhookCommand } from '../../../services/cli/webhook/command.ts';
import { valueOf } from '../../support/report-value.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import type { Dice } from '../dice.ts';
import type { WebhookPost } from '../run-files.ts';
import type { LineWriter } from './history-writer.ts';
import type { Residents } from './residents.ts';
import { startWebhookReceiver, type ReceiverMood, type SickReceiver } from './webhook-receiver.ts';

/** The webhooks of a cluster, with their receivers. */
export interface ResidentWebhooks {
  setMood(mood: ReceiverMood): void;
  /** Resumes them, as an operator does after an outage, until nothing waits or time is up. */
  catchUp(msMax: number): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 1_000;

/**
 * Makes a webhook of a provider for its devices, and one of a platform that reads everything for
 * devices and journeys.
 */
export async function openWebhooks(
  cluster: TestCluster, { providers }: Residents, record: LineWriter<WebhookPost>, dice: Dice,
): Promise<ResidentWebhooks> {
  const { operator } = cluster;
  const receivers: SickReceiver[] = [];
  const ids: string[] = [];

  async function open(client: string, ...kinds: readonly string[]): Promise<void> {
    const receiver = await startWebhookReceiver(record, dice.fork(`receiver-${receivers.length}`));
    receivers.push(receiver);
    const { webhook_id, secret } = valueOf(await webhookCommand(operator, [
      'add', '--client', client, '--url', receiver.url, '--name', 'Receiver',
      ...kinds.flatMap((kind) => ['--kind', kind]),
    ])) as { readonly webhook_id: string; readonly secret: string };
    receiver.own(webhook_id, secret);
    ids.push(webhook_id);
  }

  async function isWaiting(id: string): Promise<boolean> {
    const { records_to_read, waiting_keys } = valueOf(await webhookCommand(operator, ['show', id])) as {
      readonly records_to_read: number; readonly waiting_keys: number;
    };
    if (waiting_keys > 0) valueOf(await webhookCommand(operator, ['resume', id]));
    return records_to_read + waiting_keys > 0;
  }

  const close = async (): Promise<void> => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
  };
  try {
    const reader = valueOf(await clientCommand(operator, [
      'add', '--name', 'Reader', '--audience', 'platform', '--scope', 'platform:read',
    ])) as { readonly client_id: string };
    const provider = providers[0]?.client_id ?? '';
    valueOf(await clientCommand(operator, [
      'set', provider, '--scope', 'rtt:devices,rtt:locations,rtt:events,query:read',
    ]));
    await open(provider, 'device');
    await open(reader.client_id, 'device', 'journey');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    setMood: (mood) => { for (const receiver of receivers) receiver.setMood(mood); },
    async catchUp(msMax) {
      const untilMs = performance.now() + msMax;
      while (performance.now() < untilMs) {
        if (!(await Promise.all(ids.map(isWaiting))).includes(true)) return;
        await delay(POLL_MS);
      }
    },
    close,
  };
}
