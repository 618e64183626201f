import { example } from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';
import type { Report } from '../ports.ts';
import { noun } from '../noun.ts';
import { tableOf } from '../print/lines.ts';

/** One topic of the catalog beside what the cluster has of it. */
interface TopicState {
  readonly topic: string;
  /** Partitions that the catalog wants, and that there are. */
  readonly wanted: number;
  readonly partitions: number;
  /** Offsets from the first to the last; fewer records where compaction has been. */
  readonly offsets: number;
  readonly cleanup: string;
  readonly retention_ms: number;
}

interface TopicsPorts {
  readonly watch: LogWatch;
}

/** `rastro topics`: what the log holds; exit code 1 when a topic is missing or of another size. */
export const topicsCommand = noun<TopicsPorts>((command, does) => {
  example(command.description('The topics that the log holds.').action(does(topicsOf)),
    'rastro topics',
    'Exit codes: 0 as the catalog says, 1 a topic is missing or of other size, 2 wrong use.');
});

async function topicsOf(ports: TopicsPorts): Promise<Report> {
  const topics = Object.values(TOPICS);
  const ranges = Map.groupBy(
    await ports.watch.ranges(topics.map(({ name }) => name)), ({ topic }) => topic,
  );
  const states = topics.map(({ name, partitions, cleanup, retention_ms }): TopicState => {
    const there = ranges.get(name) ?? [];
    return {
      topic: name, wanted: partitions, partitions: there.length,
      offsets: there.reduce((sum, { start, end }) => sum + Number(end - start), 0),
      cleanup, retention_ms,
    };
  });
  const wrong = states.filter(({ wanted, partitions }) => wanted !== partitions);
  return {
    value: states,
    lines: [
      ...tableOf(['TOPIC', 'PARTITIONS', 'OFFSETS', 'CLEANUP', 'RETENTION'], states.map((state) => [
        state.topic, state.partitions, state.offsets, state.cleanup, timeOf(state.retention_ms),
      ])),
      ...wrong.map(({ topic, wanted, partitions }) => (
        `${topic} has ${partitions} partitions, not ${wanted}: run rastro's topics job.`
      )),
    ],
    exitCode: wrong.length > 0 ? 1 : 0,
  };
}

function timeOf(ms: number): string {
  return ms < 0 ? 'forever' : `${Math.round(ms / 86_400_000)} d`;
}
