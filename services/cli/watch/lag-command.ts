import { example, numberFrom, wholeFrom } from '../../adapters/command-line/command-line.ts';
import type { Clock, Pause } from '../../kernel/clock.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { Report } from '../ports.ts';
import { misuse, notFound, noun } from '../noun.ts';
import { readLag, type Lag } from '../../operator/lag/read-lag.ts';
import { at, line, tableOf, toned, type PrintedLine } from '../print/lines.ts';

/** Groups of the product, unless another prefix is asked for. */
const OURS = 'rastro.';
const WATCH_SECONDS = 5;

interface LagPorts {
  readonly watch: LogWatch;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly print: (report: Report) => void;
}

interface PartitionOffsets {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly first: number;
  readonly committed: number;
  readonly end: number;
}

interface LagOptions {
  readonly group: string;
  readonly maxSeconds: number;
  readonly watch?: number | true;
  readonly partitions?: true;
}

/**
 * `rastro lag`: how far each worker is behind the log, in records and in seconds. With
 * `--max-seconds` the exit code is 1 when one of them is further behind, for scripts that wait.
 */
export const lagCommand = noun<LagPorts>((command, does) => {
  example(command
    .description('How far each worker is behind the log, in records and in seconds.')
    .option('--group <prefix>', 'only groups that begin so', OURS)
    .option('--max-seconds <n>', 'exit code 1 when a worker is further behind', numberFrom(0), Infinity)
    .option('--partitions', 'the offsets of each partition: first, committed and end')
    .option('--watch [seconds]', 'again every so many seconds (default 5), until Ctrl-C',
      wholeFrom(1, 3_600))
    .action(does((ports, options: LagOptions) => (
      options.watch === undefined ? lagOf(ports, options) : watchLag(ports, options, options.watch)
    ))),
  'rastro lag --max-seconds 60 --watch',
  'Exit codes: 0 none further behind than --max-seconds, 1 one is, 2 wrong use, 3 not found.');
});

/** A log that is away is shown too, and so is its return. */
async function watchLag(
  ports: LagPorts, options: LagOptions, seconds: number | true,
): Promise<never> {
  const waitMs = (seconds === true ? WATCH_SECONDS : seconds) * 1_000;
  for (;;) {
    const report = await lagOf(ports, options).catch(awayReport);
    ports.print({ ...report, lines: [line`${at(ports.clock.nowMs())}`, '', ...report.lines] });
    await ports.pause(waitMs);
  }
}

function awayReport(error: unknown): Report {
  if (!isUnavailable(error)) throw error;
  return { value: { error: error.message }, lines: [error.message], exitCode: 1 };
}

async function lagOf(
  { watch, clock }: LagPorts, { group, maxSeconds, partitions }: LagOptions,
): Promise<Report> {
  if (partitions === true) {
    return maxSeconds === Infinity ? offsetsOf(watch, group)
      : misuse('--partitions shows offsets and no seconds: leave --max-seconds out.');
  }
  const lags = await readLag(watch, group, clock.nowMs());
  const late = lags.filter(({ seconds }) => seconds > maxSeconds);
  if (lags.length === 0 && group !== OURS) return notFound(noneOf(group));
  const lines = linesOf(lags, group, maxSeconds);
  return { value: lags, lines, exitCode: late.length > 0 ? 1 : 0 };
}

/** What a runbook compares: where the records of each partition are, and where the group is. */
async function offsetsOf(watch: LogWatch, prefix: string): Promise<Report> {
  const found: PartitionOffsets[] = [];
  for (const group of await watch.groups(prefix)) {
    const offsets = (await watch.offsets(group)).toSorted((one, other) => (
      one.topic.localeCompare(other.topic) || one.partition - other.partition
    ));
    for (const { topic, partition, start, next, end } of offsets) {
      found.push({
        group, topic, partition, first: Number(start), committed: Number(next), end: Number(end),
      });
    }
  }
  if (found.length === 0 && prefix !== OURS) return notFound(noneOf(prefix));
  return {
    value: found,
    lines: found.length === 0 ? [noneOf(prefix)] : tableOf(
      ['GROUP', 'TOPIC', 'PARTITION', 'FIRST', 'COMMITTED', 'END'],
      found.map(({ group, topic, partition, first, committed, end }) => (
        [group, topic, partition, first, committed, end]
      )),
    ),
    exitCode: 0,
  };
}

function noneOf(prefix: string): string {
  return `No group that begins with ${prefix} has committed anything.`;
}

function linesOf(
  lags: readonly Lag[], prefix: string, secondsMax: number,
): readonly PrintedLine[] {
  if (lags.length === 0) return [noneOf(prefix)];
  return tableOf(['GROUP', 'TOPIC', 'PARTITIONS', 'RECORDS', 'SECONDS'], lags.map((lag) => (
    [
      lag.group, lag.topic, lag.partitions, lag.records,
      lag.seconds > secondsMax ? toned('bad', lag.seconds) : lag.seconds,
    ]
  )));
}
