import type { FoldCheckpoint, FoldCheckpoints } from '../../kernel/fold-checkpoints.ts';
import type { LogRange, LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import { isDecoded, type LogRecord } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';

/** How records of some topics become one content, whatever order the topics are read in. */
export interface Fold<Content> {
  readonly empty: () => Content;
  /** Changes the content by one record. */
  readonly add: (content: Content, record: LogRecord) => void;
  /** The content as JSON, and back. */
  readonly write: (content: Content) => unknown;
  readonly read: (json: unknown) => Content;
}

/** Settings of a fold. */
export interface FoldConfig {
  /** Name of its checkpoint. */
  readonly name: string;
  readonly topics: readonly string[];
  /** Another number for another way to write the content. */
  readonly form: number;
  /** A checkpoint is kept after so many records at the earliest; a start reads as many again. */
  readonly recordsMin: number;
  /** A content of more bytes is not kept; the checkpoint before it stays good. */
  readonly bytesMax: number;
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

/** What is known of the topics, in this process. */
interface Known<Content> {
  readonly content: Content;
  readonly topics: FoldCheckpoint['topics'];
  /** Records that no checkpoint has. */
  readonly unkept: number;
}

/**
 * Makes what folds topics up to their ends: the first call goes on from the checkpoint, every
 * other from the call before. It reads topics whole after a lost checkpoint, and after one of
 * another form, of other topics, or with more than the log has.
 */
export function createTopicFold<Content>(
  config: FoldConfig, fold: Fold<Content>, ports: FoldPorts,
): () => Promise<Content> {
  let known: Known<Content> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function find(): Promise<Known<Content> | undefined> {
    const found = await ports.folds.find(config.name);
    return found?.form === config.form
      ? { content: fold.read(found.content), topics: found.topics, unkept: 0 } : undefined;
  }

  async function read(): Promise<Content> {
    const ids = await ports.topicIds(config.topics);
    const ranges = await ports.watch.ranges(config.topics);
    const before = known ?? await find();
    // What breaks off below has changed the content in part.
    known = undefined;
    const isGood = before !== undefined && isOf(before.topics, ids, ranges);
    const { content, topics, unkept } = isGood
      ? before : { content: fold.empty(), topics: [], unkept: 0 };
    let records = 0;
    await ports.rangeReader.readRanges(ranges.map((range) => tailOf(range, topics)), (some) => {
      records += some.length;
      for (const record of some) if (isDecoded(record)) fold.add(content, record);
      return Promise.resolve();
    });
    if (records > 0 || !isGood) {
      ports.signals.topicsFolded({ name: config.name, records, resumed: isGood ? 1 : 0 });
    }
    const next = { content, topics: foldedOf(ids, ranges), unkept: unkept + records };
    known = next.unkept >= config.recordsMin && await isKept(next) ? { ...next, unkept: 0 } : next;
    return content;
  }

  /** A checkpoint only saves time: without it the next start reads more. */
  async function isKept({ content, topics }: Known<Content>): Promise<boolean> {
    const checkpoint = { form: config.form, topics, content: fold.write(content) };
    if (JSON.stringify(checkpoint).length > config.bytesMax) return false;
    try {
      await ports.folds.keep(config.name, checkpoint);
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }

  return () => {
    const reading = last.then(read);
    last = reading.catch(() => undefined);
    return reading;
  };
}

/** Whether all that was folded is of these topics, and not beyond their ends. */
function isOf(
  topics: FoldCheckpoint['topics'], ids: ReadonlyMap<string, string>, ranges: readonly LogRange[],
): boolean {
  return topics.every(({ topic, topic_id, next }) => ids.get(topic) === topic_id
    && Object.entries(next).every(([partition, offset]) => ranges.some((range) => (
      range.topic === topic && range.partition === Number(partition) && BigInt(offset) <= range.end
    ))));
}

function tailOf(range: LogRange, topics: FoldCheckpoint['topics']): LogRange {
  const folded = topics.find(({ topic }) => topic === range.topic)?.next[range.partition];
  const next = folded === undefined ? range.start : BigInt(folded);
  return { ...range, start: next > range.start ? next : range.start };
}

function foldedOf(
  ids: ReadonlyMap<string, string>, ranges: readonly LogRange[],
): FoldCheckpoint['topics'] {
  return [...Map.groupBy(ranges, ({ topic }) => topic)].map(([topic, own]) => ({
    topic, topic_id: ids.get(topic) ?? '',
    next: Object.fromEntries(own.map(({ partition, end }) => [partition, String(end)])),
  }));
}
