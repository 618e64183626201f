import type { IngestMinute } from '../../kernel/ingest-minutes.ts';
import type { TopicFigures } from './read-topics.ts';
import type { WorkerFigures } from './read-workers.ts';

/** What was accepted in the whole minutes before a time, as of when it was read. */
export interface MinutesFigures {
  readonly untilMs: number;
  readonly readMs: number;
  readonly rows: readonly IngestMinute[];
}

/** What the parts of the pipeline answered; undefined is one that could not be asked. */
export interface AskedFigures {
  readonly topics: readonly TopicFigures[] | undefined;
  readonly workers: readonly WorkerFigures[] | undefined;
  /** Whether the state store holds all that the log says. */
  readonly isStateReady: boolean | undefined;
  readonly minutes: MinutesFigures | undefined;
}
