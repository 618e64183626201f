import type { Item } from '../history.ts';
import { comparedNumber } from './compared-number.ts';
import type { Evidence, LooseFields, LogEntry, EntryId, ClientTry } from './evidence.ts';
import { TOPIC, TOPIC_OF } from './topics.ts';

/** An item of a try. */
export interface SentItem {
  readonly item: Item;
  readonly by: ClientTry;
}

/** A name for a place in the log. */
export function entryName({ topic, partition, offset }: EntryId): string {
  return `${topic}[${partition}]@${offset}`;
}

/** A name for an item, the same for every try of it. */
export function itemName({ kind, mark, key }: Pick<Item, 'kind' | 'mark' | 'key'>): string {
  return `${kind} ${mark} of ${key}`;
}

/** Says which try is meant, for people. */
export function tryName({ op, call, attempt, client, gateway, status }: ClientTry): string {
  const answer = status === null ? 'no answer' : String(status);
  return `${op} ${call} (try ${attempt} by ${client} at ${gateway}: ${answer})`;
}

/** Every item of every try, a notification under the one form of its tracking number. */
export function* sentItems(tries: readonly ClientTry[]): Generator<SentItem> {
  for (const by of tries) for (const item of by.items) yield { item: withComparedKey(item), by };
}

function withComparedKey(item: Item): Item {
  return item.kind === 'notification' ? { ...item, key: comparedNumber(item.key) } : item;
}

/** The tries of some operations. */
export function triesOf(evidence: Evidence, ...ops: readonly ClientTry['op'][]): readonly ClientTry[] {
  return evidence.tries.filter(({ op }) => ops.includes(op));
}

/** True for the operations that hand over items of a device. */
export function isDeviceData({ op }: ClientTry): boolean {
  return op === 'send-locations' || op === 'send-events';
}

/** The records of one topic, per partition in order. */
export function recordsOf(evidence: Evidence, topic: string): readonly LogEntry[] {
  return evidence.log.filter((entry) => entry.topic === topic);
}

/** A field of something that may be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

/** True for a JSON object, not for a list. */
export function isFields(value: unknown): value is LooseFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of a field, empty when there is none. */
export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
}

/** Marks in a record of data, each once: pairs of `metadata`, or the carrier's code. */
export function marksIn({ topic, value }: LogEntry): ReadonlySet<string> {
  if (topic === TOPIC.notifications) {
    return new Set([textOf(fieldOf(value, 'notification'), 'carrier_code')]);
  }
  const items = fieldOf(value, 'locations') ?? fieldOf(value, 'events');
  const marks = new Set<string>();
  for (const item of Array.isArray(items) ? items as readonly unknown[] : []) {
    const mark = markOf(item);
    if (mark !== undefined) marks.add(mark);
  }
  return marks;
}

/** The mark in the metadata of an item as it was sent. */
export function markOf(item: unknown): string | undefined {
  const pairs = fieldOf(item, 'metadata');
  if (!Array.isArray(pairs)) return undefined;
  const pair = (pairs as readonly unknown[]).find((each) => fieldOf(each, 'name') === 'mark');
  return pair === undefined ? undefined : textOf(pair, 'value');
}

/** Where in the log each item of a kind is, by `kind mark`, in the order of the log. */
export function entriesByMark(evidence: Evidence): ReadonlyMap<string, readonly LogEntry[]> {
  const kinds = new Map(Object.entries(TOPIC_OF).map(([kind, topic]) => [topic, kind]));
  const entries = new Map<string, LogEntry[]>();
  for (const entry of evidence.log) {
    const kind = kinds.get(entry.topic);
    if (kind === undefined) continue;
    for (const mark of marksIn(entry)) {
      const name = `${kind} ${mark}`;
      const known = entries.get(name);
      if (known === undefined) entries.set(name, [entry]);
      else known.push(entry);
    }
  }
  return entries;
}

/** Places of records that lie in the dead letters. */
export function deadEntries(evidence: Evidence): ReadonlySet<string> {
  const dead = recordsOf(evidence, TOPIC.deadLetters).map(({ value }) => {
    const origin = fieldOf(value, 'origin');
    return entryName({
      topic: textOf(origin, 'topic'),
      partition: Number(fieldOf(origin, 'partition')),
      offset: Number(fieldOf(origin, 'offset')),
    });
  });
  return new Set(dead);
}

/** The client ids that a client of the run had tokens of. */
export function clientIds(evidence: Evidence): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map(recordsOf(evidence, TOPIC.tokens)
    .filter(({ value }) => fieldOf(value, 'type') === 'TokenIssued')
    .map(({ value }) => [textOf(value, 'token_hash'), textOf(value, 'client_id')]));
  const ids = new Map<string, Set<string>>();
  for (const { op, client, args } of evidence.tries) {
    if (op !== 'issue-token') continue;
    const owner = owners.get(args.subject_token_sha256 ?? '');
    if (owner === undefined) continue;
    const known = ids.get(client);
    if (known === undefined) ids.set(client, new Set([owner]));
    else known.add(owner);
  }
  return ids;
}

/** JSON with the names of every object in order, so that equal values are equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).filter((name) => value[name] !== undefined).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** Groups in the order of their first member. */
export function groupBy<T>(
  items: Iterable<T>, nameOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
