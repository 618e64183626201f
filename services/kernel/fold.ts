import type { FoldCheckpoints } from './fold-checkpoints.ts';
import type { LogRange, LogRangeReader, LogWatch } from './log-watch.ts';
import type { LogRecord } from './record-log.ts';
import type { Signals } from './signals.ts';

/** How records of some topics become one content, whatever order the topics are read in. */
export interface Fold<Content> {
  readonly empty: () => Content;
  /** Changes the content by one record. */
  readonly add: (content: Content, record: LogRecord) => void;
  /**
   * Called when all records up to the ends of these ranges are added: forgets what no later
   * record needs.
   */
  readonly finish?: (content: Content, ranges: readonly LogRange[]) => void;
  /** The content as JSON, and back. */
  readonly write: (content: Content) => unknown;
  readonly read: (json: unknown) => Content;
}

/** Settings of a fold. */
export interface FoldConfig {
  /** Name of its checkpoint. */
  readonly name: string;
  /**
   * Their ends are taken one after the other. A topic that answers another comes before it, so that
   * no answer is read without what it answers.
   */
  readonly topics: readonly string[];
  /** Another number for another way to write the content. */
  readonly form: number;
  /** A checkpoint is kept after so many records at the earliest; a start reads as many again. */
  readonly recordsMin: number;
  /** A content of more bytes is not kept; the checkpoint before it stays good. */
  readonly bytesMax: number;
  /**
   * More records than these are not read at once: then a fold rejects with `Unavailable`
   * `state_not_ready` until there is a newer checkpoint. No limit when absent.
   */
  readonly tailMax?: number;
}

/** Defaults of {@link FoldConfig}. */
export const FOLD_LIMITS = { recordsMin: 100, bytesMax: 8_388_608 } as const;

/** How often a fold is brought up to the end of the log, in milliseconds. */
export const FOLD_POLL_MS = 60_000;

/** Where the topics are read from some offsets on. */
export interface FoldSource {
  readonly watch: Pick<LogWatch, 'ranges'>;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
  readonly topicIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** What a fold works with. */
export interface FoldPorts extends FoldSource {
  readonly folds: FoldCheckpoints;
  readonly signals: Pick<Signals, 'topicsFolded'>;
}
