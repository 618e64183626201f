import { changeWebhook, isReplayed, LIVE_RANGE } from '../../domain/webhook/webhook.ts';
import { epochMsOf } from '../../kernel/date-time.ts';
import { formatOutbox, type WebhookRecorded } from '../../kernel/webhooks.ts';
import { misuse } from '../noun.ts';
import type { Report } from '../ports.ts';
import type { WebhookPorts } from './ports.ts';
import { readOutboxes, recordWebhook } from './log.ts';
import { rangeBetween } from './ranges.ts';

/** The words of `rastro webhook replay`. */
export interface ReplayWords {
  readonly from: string;
  readonly to?: string;
}

/** Replays of one webhook that may go on at one time. */
const REPLAYS_MAX = 16;

/** Has a range of the log sent once more, beside what is new; forgets replays that are over. */
export async function replayRange(
  ports: WebhookPorts, webhook: WebhookRecorded, { from, to }: ReplayWords,
): Promise<Report> {
  const nowMs = ports.clock.nowMs();
  const fromMs = epochMsOf(from);
  const toMs = to === undefined ? nowMs : epochMsOf(to);
  if (fromMs === undefined || toMs === undefined) {
    return misuse('--from and --to are date-times such as 2026-12-01T00:00:00Z.');
  }
  if (toMs <= fromMs) return misuse('--to must be later than --from.');
  const { webhook_id, ranges } = webhook;
  const outboxes = await readOutboxes(ports.reader, (each) => each === webhook_id);
  const open = ranges.filter((range) => !isReplayed(range, (topic, partition) => (
    outboxes.get(formatOutbox({ webhook_id, range_id: range.range_id, topic, partition }))
  )));
  if (open.filter(({ range_id }) => range_id !== LIVE_RANGE).length >= REPLAYS_MAX) {
    return misuse(`${REPLAYS_MAX} replays of ${webhook_id} go on already; wait until one is over.`);
  }
  const rangeId = `r-${ports.ids.nonce().slice(0, 12)}`;
  const { range, records } = await rangeBetween(ports, rangeId, webhook.kinds, fromMs, toMs);
  await recordWebhook(ports, changeWebhook(webhook, { ranges: [...open, range] }, nowMs));
  return {
    value: { webhook_id, range_id: rangeId, records },
    lines: [`${records} records are read for ${webhook_id}, as ${rangeId}.`],
    exitCode: 0,
  };
}
