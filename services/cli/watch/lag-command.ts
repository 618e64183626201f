import { example, numberFrom } from '../../adapters/command-line/command-line.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';
import type { Report } from '../ports.ts';
import { noun } from '../noun.ts';
import { readLag, type Lag } from './lag.ts';
import { tableOf } from './table.ts';

/** Groups of the product, unless another prefix is asked for. */
const OURS = 'rastro.';

interface LagPorts {
  readonly watch: LogWatch;
  readonly clock: Clock;
}

interface LagOptions {
  readonly group: string;
  readonly maxSeconds: number;
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
    .action(does(lagOf)),
  'rastro lag --max-seconds 60',
  'Exit codes: 0 none further behind than --max-seconds, 1 one is, 2 wrong use.');
});

async function lagOf(
  { watch, clock }: LagPorts, { group, maxSeconds }: LagOptions,
): Promise<Report> {
  const lags = await readLag(watch, group, clock.nowMs());
  const late = lags.filter(({ seconds }) => seconds > maxSeconds);
  return { value: lags, lines: linesOf(lags, group), exitCode: late.length > 0 ? 1 : 0 };
}

function linesOf(lags: readonly Lag[], prefix: string): readonly string[] {
  if (lags.length === 0) return [`No group that begins with ${prefix} has committed anything.`];
  return tableOf(['GROUP', 'TOPIC', 'PARTITIONS', 'RECORDS', 'SECONDS'], lags.map((lag) => (
    [lag.group, lag.topic, lag.partitions, lag.records, lag.seconds]
  )));
}
