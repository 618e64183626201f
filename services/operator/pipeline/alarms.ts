import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { ITEMS_WAIT_SECONDS_MAX, LAG_SECONDS_MAX } from '../../kernel/objectives.ts';
import type { AskedFigures, MinutesFigures } from './figures.ts';

/** An alarm that figures prove, by its name in Prometheus. */
export interface ProvenAlarm {
  readonly alarm: keyof typeof RUNBOOKS;
  /** What is wrong, with the figure that shows it. */
  readonly summary: string;
}

/** The alarms that figures of one moment can prove, with their runbooks. */
export const RUNBOOKS = {
  RastroStateNotReady: 'docs/runbooks/state-not-ready.md',
  RastroItemsUnexplained: 'docs/runbooks/items-unexplained.md',
  RastroProcessMissing: 'docs/runbooks/process-missing.md',
  RastroConsumerLag: 'docs/runbooks/consumer-lag.md',
  RastroDeadLetters: 'docs/runbooks/dead-letters.md',
} as const;

const MINUTE_MS = 60_000;
const DEAD_LETTERS: string = TOPICS.deadLetters.name;

/**
 * The alarms whose condition the figures show. How long it has been so, and all other alarms, only
 * Prometheus knows. What could not be asked proves nothing.
 */
export function provenAlarms(
  { topics = [], workers = [], isStateReady, minutes }: AskedFigures,
): readonly ProvenAlarm[] {
  return [
    ...isStateReady === false ? [{
      alarm: 'RastroStateNotReady',
      summary: 'The state store does not hold everything that the log says.',
    } as const] : [],
    ...minutes === undefined ? [] : unexplained(minutes),
    ...workers.filter(({ members }) => members === 0).map(({ worker }) => ({
      alarm: 'RastroProcessMissing', summary: `No process reads as ${worker}.`,
    } as const)),
    ...workers.flatMap(({ worker, topics: own }) => own
      .filter(({ seconds }) => seconds > LAG_SECONDS_MAX)
      .map(({ topic, seconds }) => ({
        alarm: 'RastroConsumerLag', summary: `${worker} is ${seconds} s behind in ${topic}.`,
      } as const))),
    ...topics.filter((each) => each.topic === DEAD_LETTERS && each.in15Minutes > 0)
      .map(({ in15Minutes }) => ({
        alarm: 'RastroDeadLetters', summary: `Dead letters in the last 15 minutes: ${in15Minutes}.`,
      } as const)),
  ];
}

function unexplained({ rows, readMs }: MinutesFigures): readonly ProvenAlarm[] {
  const overdue = rows.filter(({ minuteMs }) => (
    minuteMs + MINUTE_MS <= readMs - ITEMS_WAIT_SECONDS_MAX * 1_000));
  const items = overdue.reduce((sum, { waiting }) => sum + Math.abs(waiting), 0);
  return items === 0 ? [] : [{
    alarm: 'RastroItemsUnexplained',
    summary: `Items without an outcome ${ITEMS_WAIT_SECONDS_MAX} s after their receipt: ${items}.`,
  }];
}
