import { nextDueMs } from '../../../domain/webhook/outbox.ts';
import { viewerOf } from '../../../domain/live/viewer.ts';
import { boundsOf } from '../../../domain/webhook/webhook.ts';
import type { AccessStates } from '../../../kernel/access.ts';
import { parseOutbox, type WebhookRecorded, type WebhookStates } from '../../../kernel/webhooks.ts';
import { createDueRunner, type DueRunner, type DueRunnerPorts } from '../common/due-runner.ts';
import type { Next, PartyQueue } from '../common/due-work.ts';
import type { WebhookSenderConfig } from './config.ts';
import type { DueOutbox } from './due-outbox.ts';
import { createOutboxGauges } from './outbox-gauges.ts';
import { recordRun, type RecordRunPorts } from './record-run.ts';
import { runOutbox, type OutboxRun, type RunOutboxPorts } from './run-outbox.ts';
import { createEndsWatch, type WatchEndsPorts } from './watch-ends.ts';

/** What the sender of webhooks works with. */
export interface WebhookSenderPorts
  extends DueRunnerPorts, RunOutboxPorts, Omit<RecordRunPorts, 'webhooks'> {
  readonly webhooks: WebhookStates;
  readonly access: Pick<AccessStates, 'findClient'>;
  readonly extents: WatchEndsPorts['extents'];
}

/** Where the partition of an outbox ended when it was read. */
interface SeenEnd {
  readonly end: bigint;
}

/**
 * Posts facts of the log to webhooks (ADR 0097). Every webhook has a queue of outboxes and slots of
 * its own, so one that hangs or has a million facts waiting delays no other. The log is the
 * backlog: an outbox keeps its progress and which keys wait, and a crash only repeats an attempt.
 */
export function createWebhookSender(
  config: WebhookSenderConfig, ports: WebhookSenderPorts,
): DueRunner {
  const { webhooks: states, clock, signals } = ports;
  const ends = createEndsWatch(config, ports);
  const countOutboxes = createOutboxGauges(config, ports);

  function queueOf(webhook: WebhookRecorded): PartyQueue<DueOutbox, SeenEnd> {
    const { webhook_id } = webhook;
    return {
      partyId: webhook_id,
      takeDue: (nowMs, leaseMs, max) => states.takeDue(webhook_id, nowMs, leaseMs, max),
      load: (outbox) => load(webhook, outbox),
      reschedule,
      onFailed: (id, { code, stage }) => signals.webhookOutboxFailed({ id, code, stage }),
    };
  }

  /** Finds where an outbox is; or says when it is due where it has nothing to send. */
  async function load(webhook: WebhookRecorded, text: string): Promise<DueOutbox | Next<SeenEnd>> {
    const begunMs = clock.nowMs();
    const name = parseOutbox(text);
    const bounds = boundsOf(webhook, name);
    if (bounds === undefined) return { dueMs: undefined };
    const extent = ends.extentOf(name.topic, name.partition);
    const [client, [stored]] = await Promise.all([
      ports.access.findClient(webhook.client_id), states.loadOutboxes([name]),
    ]);
    const viewer = client === undefined ? undefined : viewerOf(client);
    if (viewer === undefined && name.partition === 0) {
      signals.webhookWithoutRights({ id: webhook.webhook_id });
    }
    if (extent === undefined || viewer === undefined) return { dueMs: begunMs + config.waitMs };
    const fact = stored?.fact;
    return {
      partyId: webhook.webhook_id, webhook, viewer, name, fact, extent, begunMs,
      topicId: fact?.topic_id ?? bounds.topicId,
      end: Math.min(Number(extent.end), bounds.end ?? Infinity),
      outbox: {
        cursor: Math.max(fact?.cursor ?? bounds.start, stored?.readTo ?? 0),
        held: new Map(fact?.held.map((each) => [each.key, each])),
      },
    };
  }

  /** A partition that grew meanwhile found the outbox in its queue, and did not bring it back. */
  async function reschedule(text: string, { dueMs, progress: seen }: Next<SeenEnd>): Promise<void> {
    const name = parseOutbox(text);
    await states.reschedule(name, dueMs);
    if (dueMs !== undefined || seen === undefined) return;
    const extent = ends.extentOf(name.topic, name.partition);
    if (extent?.end !== seen.end) await states.wake([name], clock.nowMs());
  }

  async function record(
    due: DueOutbox, run: OutboxRun, deadlineMs: number,
  ): Promise<Next<SeenEnd>> {
    await recordRun(config, ports, due, run, deadlineMs);
    const { extent: { end }, webhook: { resumed_at_ms } } = due;
    return {
      dueMs: nextDueMs(run.outbox, due.end, clock.nowMs(), config, resumed_at_ms),
      progress: { end },
      holdMs: run.holdMs,
    };
  }

  return createDueRunner('parties.webhooks', config, {
    async queues() {
      const webhooks = await states.active();
      await ends.poll(webhooks);
      await countOutboxes(webhooks);
      return webhooks.map(queueOf);
    },
    request: (due) => runOutbox(config, ports, due),
    record,
    onPolled: (inFlight) => signals.webhookOutboxesInFlight({ in_flight: inFlight }),
    onPollFailed: ({ code, stage }) => signals.webhookPollFailed({ code, stage }),
  }, ports);
}
