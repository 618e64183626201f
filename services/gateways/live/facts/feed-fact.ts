import type { FeedOffsets } from '../../../domain/live/offsets.ts';
import { audienceOf, mayFollow, type FactKind, type Viewer } from '../../../domain/live/scope.ts';
import { readFact, type FactContents } from '../../../domain/live/facts.ts';
import { factText, type FactRecord } from '../../../domain/live/fact-text.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';

/**
 * A fact and where it is. Thousands are kept, so it holds nothing of its record's value: that may
 * be a body of many kilobytes, and a slice of all that was fetched with it.
 */
export interface FeedFact {
  readonly contents: FactContents;
  /** Index of its partition in the layout, and its offset there. */
  readonly at: number;
  readonly offset: number;
  readonly record: FactRecord;
  /** What it says, written once for each way of reading it. */
  texts?: Map<Viewer['kind'], string>;
}

/** The facts between two places; updates are numbered one behind the other. */
export interface FactUpdate {
  readonly number: number;
  readonly before: FeedOffsets;
  readonly after: FeedOffsets;
  readonly facts: readonly FeedFact[];
}

/** Who reads: the same for all viewers that see the same facts in the same words. */
export interface FactAudience {
  readonly viewer: Viewer;
  readonly kinds: readonly FactKind[];
  readonly name: string;
}

/** The audience of a caller that wants these kinds. */
export function audience(viewer: Viewer, kinds: readonly FactKind[]): FactAudience {
  return { viewer, kinds, name: `${kinds.join()} ${audienceOf(viewer)}` };
}

/** A record as a fact; undefined for one that is none, or that cannot be read. */
export function feedFact(record: LogRecord, at: number): FeedFact | undefined {
  const contents = readFact(record);
  if (contents === undefined) return undefined;
  const { topicId, partition, offset, headers, timestampMs } = record;
  return {
    contents, at, offset: Number(offset),
    record: { topicId, partition, offset, headers, timestampMs },
  };
}

/** What a fact says to those who read it in this way. */
export function textFor(fact: FeedFact, viewer: Viewer['kind']): string {
  const texts = fact.texts ??= new Map();
  let text = texts.get(viewer);
  if (text === undefined) texts.set(viewer, text = factText(fact.record, fact.contents, viewer));
  return text;
}

/** True when the audience follows this fact. */
export function follows({ viewer, kinds }: FactAudience, { contents }: FeedFact): boolean {
  return kinds.includes(contents.kind) && mayFollow(viewer, contents);
}
