import { sseEvent } from '../sse.ts';
import {
  follows, textFor, type FactAudience, type FactUpdate, type FeedFact,
} from './feed-fact.ts';
import { furthest, type FeedOffsets } from '../../../domain/live/offsets.ts';

/** How the facts of one update, or of one read, become events. */
export interface EventsOptions {
  readonly pieceBytesMax: number;
  readonly atMs: number;
  /** What is before it was sent already, by this copy or another. */
  readonly sentUpTo: FeedOffsets | undefined;
  readonly idOf: (reached: FeedOffsets) => string;
}

/**
 * The facts that an audience follows, as events of a limited size. Each event has the place behind
 * its last fact as its id, so that a reader that has an event whole has each of its facts, once.
 */
export function eventsOf(
  audience: FactAudience, { before, after, facts }: Omit<FactUpdate, 'number'>,
  { pieceBytesMax, atMs, sentUpTo, idOf }: EventsOptions,
): readonly Buffer[] {
  const events: Buffer[] = [];
  const reached = [...before];
  let texts: string[] = [];
  let bytes = 0;
  const cut = (at: FeedOffsets): void => {
    events.push(sseEvent(
      'facts', `{"at_ms":${atMs},"facts":[${texts.join(',')}]}`, idOf(furthest(at, sentUpTo)),
    ));
    texts = [];
    bytes = 0;
  };
  for (const fact of facts) {
    const text = isNew(fact, sentUpTo) && follows(audience, fact)
      ? textFor(fact, audience.viewer.kind) : undefined;
    if (text !== undefined && bytes + text.length > pieceBytesMax && texts.length > 0) cut(reached);
    reached[fact.at] = fact.offset + 1;
    if (text === undefined) continue;
    texts.push(text);
    bytes += text.length;
  }
  if (texts.length > 0) cut(after);
  return events;
}

/** Events of updates, made once for each audience. */
export interface EventCache {
  of(
    audience: FactAudience, update: FactUpdate, make: () => readonly Buffer[],
  ): readonly Buffer[];
}

/** Makes what keeps the events of an update as long as that is kept. */
export function createEventCache(): EventCache {
  const made = new WeakMap<FactUpdate, Map<string, readonly Buffer[]>>();
  return {
    of({ name }, update, make) {
      const byAudience = made.get(update) ?? new Map<string, readonly Buffer[]>();
      made.set(update, byAudience);
      let events = byAudience.get(name);
      if (events === undefined) byAudience.set(name, events = make());
      return events;
    },
  };
}

function isNew({ at, offset }: FeedFact, sentUpTo: FeedOffsets | undefined): boolean {
  return sentUpTo === undefined || offset >= (sentUpTo[at] ?? 0);
}
