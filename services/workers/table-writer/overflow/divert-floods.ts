import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { GroupWatch, LogRangeReader, LogWatch } from '../../../kernel/log-watch.ts';
import type { Overflow } from '../../../kernel/overflow.ts';
import type { LogHandler, RecordLog } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { DiversionConfig, FloodConfig } from './config.ts';
import { createDiversion, type DiversionPorts } from './divert.ts';
import { createFloodWatch } from './flood-watch.ts';
import { createOverflowKeys } from './overflow-keys.ts';
import { readWaitingKeys } from './waiting-keys.ts';

/** The log as the way into the overflow topic needs it. */
export interface FloodDiversionPorts extends Pick<DiversionPorts, 'enter'> {
  readonly log: RecordLog;
  /** All decisions that the log has now. */
  readonly readDecisions: () => Promise<Overflow>;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
  readonly watch: Pick<LogWatch, 'ranges' | 'offsets'> & GroupWatch;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
}

/**
 * The way into the overflow topic before a table writer: it follows the decisions of operators
 * about devices and providers, and moves a provider that floods (ADR 0018, ADR 0062).
 */
export function divertFloods(
  config: DiversionConfig, floods: FloodConfig, ports: FloodDiversionPorts, inner: LogHandler,
): LogHandler {
  const keys = createOverflowKeys(config, {
    ...ports,
    read: ports.readDecisions,
    waitingKeys: () => readWaitingKeys(config, ports),
  });
  const isOverflowRead = async (): Promise<boolean> => (
    (await ports.watch.members(config.overflowGroup))
      .some(({ group, members }) => group === config.overflowGroup && members.length > 0)
  );
  return createDiversion(config, {
    ...ports, keys, floods: createFloodWatch(floods, { ...ports, keys, isOverflowRead }),
  }, inner);
}
