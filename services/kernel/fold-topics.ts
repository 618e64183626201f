import type { FoldCheckpoint } from './fold-checkpoints.ts';
import { foldedOf, isFoldedOf, tailOf } from './fold-tail.ts';
import type { Fold, FoldConfig, FoldPorts } from './fold.ts';
import type { LogRange } from './log-watch.ts';
import { isDecoded } from './record-log.ts';
import { isUnavailable, Unavailable } from './unavailable.ts';

/** What is known of the topics, in this process. */
interface Known<Content> {
  readonly content: Content;
  readonly topics: FoldCheckpoint['topics'];
  /** Records that no checkpoint has. */
  readonly unkept: number;
}

/** A part of the topics while it is read. */
interface Reading<Content> extends Known<Content> {
  readonly part: string;
  readonly ranges: readonly LogRange[];
  readonly isResumed: boolean;
  records: number;
}

/**
 * Makes what folds topics up to their ends: the first call goes on from the checkpoint, every
 * other from the call before. It reads topics whole after a lost checkpoint, and after one of
 * another form, of other topics, or with more than the log has.
 */
export function createTopicFold<Content>(
  config: FoldConfig, fold: Fold<Content>, ports: FoldPorts,
): () => Promise<Content> {
  const read = createPartFold(config, fold, ports, { nameOf: () => config.name, partOf: () => '' });
  return async () => (await read([''])).get('') ?? fold.empty();
}

/**
 * The same for each partition apart, of topics that are partitioned alike: a process folds and
 * keeps only the partitions that it names.
 */
export function createPartitionFold<Content>(
  config: FoldConfig, fold: Fold<Content>, ports: FoldPorts,
): (partitions: Iterable<number>) => Promise<ReadonlyMap<number, Content>> {
  const read = createPartFold(config, fold, ports, {
    nameOf: (part) => `${config.name}.${part}`, partOf: String,
  });
  return async (partitions) => new Map(
    [...await read([...partitions].map(String))].map(([part, content]) => [Number(part), content]),
  );
}

/** Records of parts that are read whole at once; of each a fold may hold its id for that time. */
const WHOLE_RECORDS_MAX = 200_000n;

interface Parts {
  /** Name of the checkpoint of a part. */
  readonly nameOf: (part: string) => string;
  readonly partOf: (partition: number) => string;
}

function createPartFold<Content>(
  config: FoldConfig, fold: Fold<Content>, ports: FoldPorts, { nameOf, partOf }: Parts,
): (parts: readonly string[]) => Promise<ReadonlyMap<string, Content>> {
  const known = new Map<string, Known<Content>>();
  let last: Promise<unknown> = Promise.resolve();

  async function find(part: string): Promise<Known<Content> | undefined> {
    const found = await ports.folds.find(nameOf(part));
    return found?.form === config.form
      ? { content: fold.read(found.content), topics: found.topics, unkept: 0 } : undefined;
  }

  async function begin(
    part: string, ranges: readonly LogRange[], ids: ReadonlyMap<string, string>,
  ): Promise<Reading<Content>> {
    const before = known.get(part) ?? await find(part);
    // What breaks off below has changed the content in part.
    known.delete(part);
    const isResumed = before !== undefined && isFoldedOf(before.topics, ids, ranges);
    const begun = isResumed ? before : { content: fold.empty(), topics: [], unkept: 0 };
    return { ...begun, part, ranges, isResumed, records: 0 };
  }

  async function read(parts: readonly string[]): Promise<ReadonlyMap<string, Content>> {
    const ids = await ports.topicIds(config.topics);
    const ranges = Map.groupBy(await endsOf(config.topics, ports), (range) => (
      partOf(range.partition)));
    const readings: Reading<Content>[] = [];
    for (const part of new Set(parts)) {
      readings.push(await begin(part, ranges.get(part) ?? [], ids));
    }
    for (const some of inGroups(readings)) {
      await add(some);
      for (const reading of some) await end(reading, ids);
    }
    report(readings);
    return new Map(readings.map(({ part, content }) => [part, content]));
  }

  async function add(readings: readonly Reading<Content>[]): Promise<void> {
    const byPart = new Map(readings.map((reading) => [reading.part, reading]));
    const tails = readings.flatMap(({ ranges, topics }) => (
      ranges.map((range) => tailOf(range, topics))));
    const records = tails.reduce((sum, { start, end }) => sum + end - start, 0n);
    if (records > (config.tailMax ?? Infinity)) {
      throw new Unavailable(
        'state_not_ready', 'apply', `${records} records of ${config.name} are in no checkpoint`,
      );
    }
    await ports.rangeReader.readRanges(tails, (records) => {
      for (const record of records) {
        const reading = byPart.get(partOf(record.partition));
        if (reading === undefined) continue;
        reading.records += 1;
        if (isDecoded(record)) fold.add(reading.content, record);
      }
      return Promise.resolve();
    });
  }

  function report(readings: readonly Reading<Content>[]): void {
    const records = readings.reduce((sum, each) => sum + each.records, 0);
    const isResumed = readings.every((each) => each.isResumed);
    if (records === 0 && isResumed) return;
    ports.signals.topicsFolded({ name: config.name, records, resumed: isResumed ? 1 : 0 });
  }

  async function end(
    { part, content, ranges, unkept, records }: Reading<Content>, ids: ReadonlyMap<string, string>,
  ): Promise<void> {
    fold.finish?.(content, ranges);
    const next = { content, topics: foldedOf(ids, ranges), unkept: unkept + records };
    const isKept = next.unkept >= config.recordsMin && await keep(part, next);
    known.set(part, isKept ? { ...next, unkept: 0 } : next);
  }

  /** A checkpoint only saves time: without it the next start reads more. */
  async function keep(part: string, { content, topics }: Known<Content>): Promise<boolean> {
    const checkpoint = { form: config.form, topics, content: fold.write(content) };
    if (JSON.stringify(checkpoint).length > config.bytesMax) return false;
    try {
      await ports.folds.keep(nameOf(part), checkpoint);
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }

  return (parts) => {
    const reading = last.then(() => read(parts));
    last = reading.catch(() => undefined);
    return reading;
  };
}

/** Whole parts hold more than tails until they are read to the end: only few are read at a time. */
function inGroups<Content>(
  readings: readonly Reading<Content>[],
): readonly (readonly Reading<Content>[])[] {
  const groups = [readings.filter(({ isResumed }) => isResumed)];
  let records = WHOLE_RECORDS_MAX;
  for (const reading of readings.filter(({ isResumed }) => !isResumed)) {
    const own = reading.ranges.reduce((sum, { start, end }) => sum + end - start, 0n);
    if (records + own > WHOLE_RECORDS_MAX) {
      groups.push([]);
      records = 0n;
    }
    groups.at(-1)?.push(reading);
    records += own;
  }
  return groups;
}

async function endsOf(
  topics: readonly string[], { watch }: FoldPorts,
): Promise<readonly LogRange[]> {
  const ranges: LogRange[] = [];
  for (const topic of topics) ranges.push(...await watch.ranges([topic]));
  return ranges;
}
