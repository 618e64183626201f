import type { Evidence, LogEntry } from './evidence.ts';
import { canonical, fieldOf, groupBy, isFields, entryName, recordsOf, textOf } from './read-evidence.ts';
import { TOPIC } from './topics.ts';

/** What must come of one notification. */
export interface FoldedNotification {
  readonly entry: LogEntry;
  readonly outcome: 'applied' | 'duplicate' | 'out_of_order' | 'ignored_after_final';
  /** The state of the shipment after it. */
  readonly after: ShipmentEnd;
}

/** Where a shipment stands, as far as the checker looks. */
export interface ShipmentEnd {
  readonly code: string;
  readonly final: boolean;
}

/**
 * The journey of every shipment, folded again from the notifications in the order of the log: after
 * a final code nothing counts; the same content counts once; an older date does not count, unless
 * its code is final.
 */
export function foldJourneys(
  evidence: Evidence,
): ReadonlyMap<string, readonly FoldedNotification[]> {
  const readable = recordsOf(evidence, TOPIC.notifications).filter(({ value }) => (
    isFields(fieldOf(value, 'notification')) && Number.isFinite(occurredMs(value))
  ));
  const journeys = new Map<string, readonly FoldedNotification[]>();
  for (const [shipment, entries] of groupBy(readable, ({ key }) => key)) {
    journeys.set(shipment, foldOne(entries, evidence.finalCodes));
  }
  return journeys;
}

function foldOne(
  entries: readonly LogEntry[], finalCodes: ReadonlySet<string>,
): readonly FoldedNotification[] {
  const journey: FoldedNotification[] = [];
  const contents = new Set<string>();
  let lastMs = -Infinity;
  let after: ShipmentEnd = { code: '', final: false };
  for (const entry of entries) {
    const code = textOf(fieldOf(entry.value, 'notification'), 'code');
    const atMs = occurredMs(entry.value);
    const content = contentOf(entry.value);
    let outcome: FoldedNotification['outcome'] = 'applied';
    if (after.final) outcome = 'ignored_after_final';
    else if (contents.has(content)) outcome = 'duplicate';
    else if (!finalCodes.has(code) && atMs < lastMs) outcome = 'out_of_order';
    if (outcome === 'applied' || outcome === 'out_of_order') contents.add(content);
    if (outcome === 'applied') {
      after = { code, final: finalCodes.has(code) };
      lastMs = atMs;
    }
    journey.push({ entry, outcome, after });
  }
  return journey;
}

function occurredMs(value: unknown): number {
  return Date.parse(textOf(fieldOf(fieldOf(value, 'notification'), 'payload'), 'date'));
}

function contentOf(value: unknown): string {
  const notification = fieldOf(value, 'notification');
  if (!isFields(notification)) return '';
  const { tracking_number: _, ...content } = notification;
  return canonical([content, fieldOf(fieldOf(value, 'image'), 'sha256')]);
}

/** What the product said of each notification, by its place; a repeat says it again. */
export function saidOf(evidence: Evidence): ReadonlyMap<string, readonly LogEntry[]> {
  return groupBy(recordsOf(evidence, TOPIC.journeys), ({ value }) => {
    const origin = fieldOf(value, 'notification');
    return entryName({
      topic: TOPIC.notifications,
      partition: Number(fieldOf(origin, 'partition')),
      offset: Number(fieldOf(origin, 'offset')),
    });
  });
}
