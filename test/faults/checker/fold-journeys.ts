import type { Evidence, LogEntry } from './evidence.ts';
import { canonical, fieldOf, groupBy, isFields, placeName, recordsOf, textOf } from './look.ts';
import { TOPIC } from './topics.ts';

/** What must come of one notification. */
export interface Judged {
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
 * The journey of every shipment, folded anew from the notifications in the order of the log: after
 * a final code nothing counts; the same content counts once; an older date does not count, unless
 * its code is final.
 */
export function foldJourneys(evidence: Evidence): ReadonlyMap<string, readonly Judged[]> {
  const readable = recordsOf(evidence, TOPIC.notifications).filter(({ value }) => (
    isFields(fieldOf(value, 'notification')) && Number.isFinite(occurredMs(value))
  ));
  const journeys = new Map<string, readonly Judged[]>();
  for (const [shipment, entries] of groupBy(readable, ({ key }) => key)) {
    journeys.set(shipment, foldOne(entries, evidence.finalCodes));
  }
  return journeys;
}

function foldOne(
  entries: readonly LogEntry[], finalCodes: ReadonlySet<string>,
): readonly Judged[] {
  const journey: Judged[] = [];
  const contents = new Set<string>();
  let lastMs = -Infinity;
  let after: ShipmentEnd = { code: '', final: false };
  for (const entry of entries) {
    const code = textOf(fieldOf(entry.value, 'notification'), 'code');
    const atMs = occurredMs(entry.value);
    const content = contentOf(entry.value);
    let outcome: Judged['outcome'] = 'applied';
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
  const told = fieldOf(value, 'notification');
  if (!isFields(told)) return '';
  const { tracking_number: _, ...content } = told;
  return canonical([content, fieldOf(fieldOf(value, 'image'), 'sha256')]);
}

/** What the product said of each notification, by its place; a repeat says it again. */
export function saidOf(evidence: Evidence): ReadonlyMap<string, readonly LogEntry[]> {
  return groupBy(recordsOf(evidence, TOPIC.journeys), ({ value }) => {
    const place = fieldOf(value, 'notification');
    return placeName({
      topic: TOPIC.notifications,
      partition: Number(fieldOf(place, 'partition')),
      offset: Number(fieldOf(place, 'offset')),
    });
  });
}
