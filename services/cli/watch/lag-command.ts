import { parseArgs } from 'node:util';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';
import { readLag, type Lag } from './lag.ts';
import { tableOf } from './table.ts';

/** Groups of the product, unless another prefix is asked for. */
const OURS = 'rastro.';

const OPTIONS = {
  group: { type: 'string', default: OURS },
  'max-seconds': { type: 'string' },
} as const;

/**
 * `rastro lag`: how far each worker is behind the log, in records and in seconds. With
 * `--max-seconds` the exit code is 1 when one of them is further behind, for scripts that wait.
 */
export async function lagCommand(
  ports: { readonly watch: LogWatch; readonly clock: Clock }, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  if (positionals.length > 0) return misuse(`Too many words: ${positionals.join(' ')}`);
  const secondsMax = Number(values['max-seconds'] ?? Infinity);
  if (Number.isNaN(secondsMax) || secondsMax < 0) return misuse('--max-seconds takes a number.');
  const lags = await readLag(ports.watch, values.group, ports.clock.nowMs());
  const late = lags.filter(({ seconds }) => seconds > secondsMax);
  return { value: lags, lines: linesOf(lags, values.group), exitCode: late.length > 0 ? 1 : 0 };
}

function linesOf(lags: readonly Lag[], prefix: string): readonly string[] {
  if (lags.length === 0) return [`No group that begins with ${prefix} has committed anything.`];
  return tableOf(['GROUP', 'TOPIC', 'PARTITIONS', 'RECORDS', 'SECONDS'], lags.map((lag) => (
    [lag.group, lag.topic, lag.partitions, lag.records, lag.seconds]
  )));
}
