import type { Evidence, LogEntry } from './evidence.ts';
import { canonical, fieldOf, groupBy, isFields, entryName, recordsOf, textOf } from './read-evidence.ts';
import { TOPIC } from './topics.ts';

/** What must come of one notification. */
export interface FoldedNotification {
  readonly entry: LogEntry;
  readonly outcome:
    'applied' | 'duplicate' | 'out_of_order' | 'ignored_after_final' | 'disputed';
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
 * its code is final. What was received before the codes held, by the clock of who received it, ends
 * nothing. What another than its carrier notifies is disputed and changes nothing.
 */
export function foldJourneys(
  evidence: Evidence,
): ReadonlyMap<string, readonly FoldedNotification[]> {
  const readable = recordsOf(evidence, TOPIC.notifications).filter(({ value }) => (
    isFields(fieldOf(value, 'notification')) && Number.isFinite(occurredMs(value))
  ));
  const fromMs = codesHoldFrom(evidence);
  const isFinal: IsFinal = ({ headers }, code) =>
    evidence.finalCodes.has(code) && Number(headers['received-at'] ?? fromMs) >= fromMs;
  const journeys = new Map<string, readonly FoldedNotification[]>();
  for (const [shipment, entries] of groupBy(readable, ({ key }) => key)) {
    journeys.set(shipment, foldOne(entries, isFinal));
  }
  return journeys;
}

type IsFinal = (entry: LogEntry, code: string) => boolean;

/** When the first import of codes holds, in milliseconds; those of a run have no other. */
function codesHoldFrom(evidence: Evidence): number {
  const times = recordsOf(evidence, TOPIC.codes).map(({ value }) => (
    Math.max(Number(fieldOf(value, 'valid_from_ms')), Number(fieldOf(value, 'at_ms')))
  ));
  return times.length === 0 ? 0 : Math.min(...times);
}

function foldOne(entries: readonly LogEntry[], isFinal: IsFinal): readonly FoldedNotification[] {
  const journey: FoldedNotification[] = [];
  const contents = new Set<string>();
  let lastMs = -Infinity;
  let after: ShipmentEnd = { code: '', final: false };
  let owner: Owner | undefined;
  let carrier: string | undefined;
  for (const entry of entries) {
    owner = stronger(owner, ownerIn(entry));
    const now = owner?.client ?? carrier ?? entry.headers['client'];
    if (now !== carrier) {
      // The journey of the carrier before counts for nothing.
      contents.clear();
      [carrier, lastMs, after] = [now, -Infinity, { code: '', final: false }];
    }
    if (entry.headers['client'] !== carrier) {
      journey.push({ entry, outcome: 'disputed', after });
      continue;
    }
    const code = textOf(fieldOf(entry.value, 'notification'), 'code');
    const atMs = occurredMs(entry.value);
    const content = contentOf(entry.value);
    let outcome: FoldedNotification['outcome'] = 'applied';
    if (after.final) outcome = 'ignored_after_final';
    else if (contents.has(content)) outcome = 'duplicate';
    else if (!isFinal(entry, code) && atMs < lastMs) outcome = 'out_of_order';
    if (outcome === 'applied' || outcome === 'out_of_order') contents.add(content);
    if (outcome === 'applied') {
      after = { code, final: isFinal(entry, code) };
      lastMs = atMs;
    }
    journey.push({ entry, outcome, after });
  }
  return journey;
}

/** Whose a number was known to be when a notification came. */
interface Owner {
  readonly client: string;
  readonly strength: number;
  readonly atMs: number;
}

/** A later one outranks those before it. */
const BASES = ['range', 'authorization', 'reassignment'];

function ownerIn({ value }: LogEntry): Owner | undefined {
  const owner = fieldOf(value, 'owner');
  if (!isFields(owner)) return undefined;
  return {
    client: textOf(owner, 'client_id'), strength: BASES.indexOf(textOf(owner, 'basis')),
    atMs: Number(fieldOf(owner, 'at_ms')),
  };
}

function stronger(one: Owner | undefined, other: Owner | undefined): Owner | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const isOther = other.strength > one.strength
    || (other.strength === one.strength && other.atMs > one.atMs);
  return isOther ? other : one;
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
