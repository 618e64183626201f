import {
  afterCut, afterNew, afterRetries, nextRetries, roomOf, type OutboxProgress,
} from '../../../domain/webhook/outbox.ts';
import { LIVE_RANGE } from '../../../domain/webhook/webhook.ts';
import type { LogRangeReader } from '../../../kernel/log-watch.ts';
import { formatRecordId } from '../../../kernel/record-id.ts';
import type { WebhookTried } from '../../../kernel/webhooks.ts';
import type { WebhookSenderConfig } from './config.ts';
import type { DueOutbox } from './due-outbox.ts';
import { readPart, type PartQuestion, type ReadPart } from './read-part.ts';
import { sendKeys, type SendKeysPorts } from './send-keys.ts';

/** What one attempt of an outbox needs. */
export interface RunOutboxPorts extends SendKeysPorts {
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
}

/** What one attempt of an outbox brought. */
export interface OutboxRun {
  readonly outbox: OutboxProgress;
  readonly topicId: string;
  readonly tried: readonly WebhookTried[];
  readonly holdMs: number | undefined;
}

/**
 * One attempt of an outbox: first the held keys that are due, then what is new, as far as there is
 * room for keys that would have to wait. It keeps nothing, so a crash only repeats it.
 */
export async function runOutbox(
  config: WebhookSenderConfig, ports: RunOutboxPorts, due: DueOutbox,
): Promise<OutboxRun> {
  const deadlineMs = due.begunMs + config.sendMsMax;
  const tried: WebhookTried[] = [];
  let holdMs: number | undefined;
  let outbox = behindCut(ports, due, tried);
  const { resumed_at_ms } = due.webhook;

  const retries = nextRetries(outbox, ports.clock.nowMs(), config.recordsMax, resumed_at_ms);
  if (retries !== undefined) {
    const { from, to, keys } = retries;
    const part = await read(due, from, to, Infinity, (key, offset) => {
      const kept = keys.get(key);
      return kept !== undefined && offset >= kept.offset;
    });
    const sent = await sendKeys(config, ports, due, part, keys, deadlineMs);
    outbox = afterRetries(outbox, retries, sent, ports.clock.nowMs(), config);
    tried.push(...sent.tried);
    holdMs = sent.holdMs;
  }

  const room = roomOf(outbox, config);
  if (room > 0 && outbox.cursor < due.end && holdMs === undefined) {
    const to = Math.min(due.end, outbox.cursor + config.recordsMax);
    const { held } = outbox;
    const part = await read(due, outbox.cursor, to, room, (key) => !held.has(key));
    const sent = await sendKeys(config, ports, due, part, held, deadlineMs);
    outbox = afterNew(outbox, sent, ports.clock.nowMs());
    tried.push(...sent.tried);
    holdMs = sent.holdMs;
  }
  return { outbox, topicId: due.extent.topicId, tried, holdMs };

  function read(
    { name, viewer }: DueOutbox, from: number, to: number, keysMax: number,
    isWanted: PartQuestion['isWanted'],
  ): Promise<ReadPart> {
    const { factsMax } = config;
    return readPart(ports.rangeReader, { name, viewer, from, to, factsMax, keysMax, isWanted });
  }
}

/** The outbox behind what the log does not have any more, which is an outcome of its own. */
function behindCut(
  { clock }: Pick<RunOutboxPorts, 'clock'>, due: DueOutbox, tried: WebhookTried[],
): OutboxProgress {
  const { name, webhook, outbox, extent, topicId } = due;
  const nowMs = clock.nowMs();
  const isRemade = extent.topicId !== topicId;
  const { outbox: left, cut } = isRemade
    ? { outbox: begunOver(due), cut: { offset: outbox.cursor, records: undefined } }
    : afterCut(outbox, Number(extent.start), nowMs);
  if (cut === undefined) return left;
  const offset = BigInt(cut.offset);
  tried.push({
    type: 'WebhookTried', ...name, client_id: webhook.client_id,
    record_id: formatRecordId({ topicId, partition: name.partition, offset }),
    outcome: 'removed', reason: isRemade ? 'remade' : 'retention', attempt: 0,
    ...(cut.records === undefined ? {} : { records: cut.records }), at_ms: nowMs,
  });
  return left;
}

/** A topic that was made again has only facts that are new; a replay of the old one is over. */
function begunOver({ name, extent, end }: DueOutbox): OutboxProgress {
  return { cursor: name.range_id === LIVE_RANGE ? Number(extent.start) : end, held: new Map() };
}
