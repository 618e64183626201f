import type { Evidence, LogEntry } from '../evidence.ts';
import {
  canonical, entryName, fieldOf, groupBy, isFields, textOf,
} from '../read-evidence.ts';
import { TOPIC } from '../topics.ts';
import type { Findings } from '../verdict.ts';
import { isFactFor, publicFacts, topicOf } from './public-facts.ts';
import { listOf } from './shown-map.ts';
import { loggedAt, seenUntil, type SeenBy } from './viewers.ts';

/** What a viewer got between two places that are not connected; the last one reaches the end. */
interface SeenPart {
  /** When its first event came: what is recorded later belongs to it. */
  readonly since: number;
  readonly facts: readonly SeenFact[];
  readonly isLast: boolean;
}

interface SeenFact {
  readonly name: string;
  readonly fact: unknown;
}

/** Clocks of one machine differ by moments, since they are read one after the other. */
const CLOCKS_MS = 100;
/** A fact of the last moments may still be in flight. */
const IN_FLIGHT_MS = 5_000;

/**
 * From its first fact to its last a viewer got each public fact of its scope once, in the order of
 * the log for each key. A reset or a call without an id begins a new part.
 */
export function checkFacts(evidence: Evidence, viewer: SeenBy, findings: Findings): void {
  const all = publicFacts(evidence);
  const byName = new Map(all.map((entry) => [entryName(entry), entry]));
  const own = all.filter((entry) => isFactFor(viewer, entry));
  const parts = partsOf(viewer);
  if (parts.length === 0) findings.blame('lost', `Nothing came to ${viewer.name} at all.`);
  for (const part of parts) {
    checkGot(viewer, part, byName, findings);
    const got = new Set(part.facts.map(({ name }) => name));
    for (const entry of wanted(evidence, own, part, got)) {
      findings.examine();
      if (got.has(entryName(entry))) continue;
      findings.blame('lost', `${entryName(entry)} of ${entry.key} did not come to ${viewer.name}.`);
    }
  }
}

/** Each fact that came is in the log, says the same, is for its viewer, and came in order, once. */
function checkGot(
  viewer: SeenBy, { facts }: SeenPart, log: ReadonlyMap<string, LogEntry>, findings: Findings,
): void {
  const got = new Set<string>();
  const newest = new Map<string, LogEntry>();
  for (const { name, fact } of facts) {
    const entry = log.get(name);
    if (entry === undefined) {
      findings.blame('phantom', `${name} came to ${viewer.name} and is no fact of the log.`);
      continue;
    }
    if (!isFactFor(viewer, entry)) {
      findings.blame('wrong-owner', `${name} came to ${viewer.name}, and is of another.`);
    }
    if (!saysTheSame(fact, entry)) {
      findings.blame('altered', `${name} says something else to ${viewer.name} than in the log.`);
    }
    if (got.has(name)) {
      findings.blame('duplicate', `${name} of ${entry.key} came to ${viewer.name} again.`);
      continue;
    }
    got.add(name);
    const key = `${entry.topic} ${entry.key}`;
    const before = newest.get(key);
    if (before !== undefined && before.offset > entry.offset) {
      findings.blame('order-violation',
        `${name} came to ${viewer.name} after ${entryName(before)} of the same key.`);
    } else newest.set(key, entry);
  }
}

/** What is shown of a record is as it is there; of a dead letter more than its value is shown. */
function saysTheSame(fact: unknown, { topic, value }: LogEntry): boolean {
  return isFields(fact) && (topic === TOPIC.deadLetters || (
    fact['type'] !== undefined && Object.keys(fact).every((name) => (
      canonical(fact[name]) === canonical(fieldOf(value, name))))));
}

/** The facts that belong to a part, from the first one of each partition on. */
function wanted(
  evidence: Evidence, own: readonly LogEntry[], { since, facts, isLast }: SeenPart,
  got: ReadonlySet<string>,
): readonly LogEntry[] {
  if (facts.length === 0 && !isLast) return [];
  const until = seenUntil(evidence) - IN_FLIGHT_MS;
  return [...groupBy(own, ({ topic, partition }) => `${topic}[${partition}]`).values()]
    .flatMap((entries) => {
      const first = entries.findIndex((entry) => (
        got.has(entryName(entry)) || loggedAt(evidence, entry) > since + CLOCKS_MS
      ));
      const last = entries.findLastIndex((entry) => (
        got.has(entryName(entry)) || (isLast && loggedAt(evidence, entry) < until)
      ));
      return first < 0 ? [] : entries.slice(first, last + 1);
    });
}

function partsOf({ lines }: SeenBy): readonly SeenPart[] {
  const parts: { since: number; facts: SeenFact[] }[] = [];
  let isNew = true;
  for (const { event, begins, at, data } of lines) {
    if (event === 'answer' || event === 'end') {
      isNew ||= begins === true;
      continue;
    }
    if (isNew || event === 'reset') parts.push({ since: at, facts: [] });
    isNew = false;
    for (const each of listOf(data, 'facts')) {
      const [, partition = '', offset = ''] = textOf(each, 'record_id').split(':');
      const fact = fieldOf(each, 'fact');
      const topic = topicOf(textOf(each, 'kind'), fact);
      parts.at(-1)?.facts.push({
        name: entryName({ topic, partition: Number(partition), offset: Number(offset) }), fact,
      });
    }
  }
  return parts.map((one, at) => ({ ...one, isLast: at === parts.length - 1 }));
}
