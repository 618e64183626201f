import type { Alert } from './alert.ts';
import { badRatio, OBJECTIVES, seriesOf, type Objective, type Window } from './objectives.ts';

/** How fast a budget burns, over which times that is measured, and when it is used up. */
interface Burn {
  readonly severity: Alert['severity'];
  /** Times the rate that just uses the budget up in thirty days. */
  readonly rate: number;
  readonly long: Window;
  readonly short: Window;
  readonly lasting: string;
  readonly gone: string;
  /** When it must ring in a world that burns twice as fast. */
  readonly ringsAt: string;
  /** When the short time has passed in a world that burnt for twenty minutes. */
  readonly silentAt: string;
}

/**
 * Over a long time (is it serious?) and a short one (is it still so?), as in Google's workbook on
 * service level objectives: 2 % of the budget in an hour, 5 % in six, 10 % in a day, in three days.
 */
const BURNS: readonly Burn[] = [
  {
    severity: 'page', rate: 14.4, long: '1h', short: '5m', lasting: '2m',
    gone: 'two days', ringsAt: '10m', silentAt: '35m',
  },
  {
    severity: 'page', rate: 6, long: '6h', short: '30m', lasting: '15m',
    gone: 'five days', ringsAt: '30m', silentAt: '65m',
  },
  {
    severity: 'ticket', rate: 3, long: '1d', short: '2h', lasting: '1h',
    gone: 'ten days', ringsAt: '80m', silentAt: '150m',
  },
  {
    severity: 'ticket', rate: 1, long: '3d', short: '6h', lasting: '3h',
    gone: 'thirty days', ringsAt: '200m', silentAt: '390m',
  },
];

const EVENTS_A_MINUTE = 10_000;

/** Four alarms for each objective, about how fast its budget goes. */
export function burnAlerts(): readonly Alert[] {
  return OBJECTIVES.flatMap((objective) => BURNS.map((burn) => burnAlert(objective, burn)));
}

function burnAlert(objective: Objective, burn: Burn): Alert {
  const over = Number((burn.rate * objective.budget).toFixed(4));
  const bad = Math.round(2 * over * EVENTS_A_MINUTE);
  return {
    name: `Rastro${objective.subject}BurnRate`,
    severity: burn.severity,
    window: burn.long,
    lasting: burn.lasting,
    expr: [burn.long, burn.short]
      .map((time) => `${badRatio(objective, time)} > ${over}`).join(' and '),
    summary: `${objective.wrong} that the month's budget is gone in ${burn.gone}.`,
    rings: {
      series: {
        [seriesOf(objective, 'bad')]: `0+${bad}x200`,
        [seriesOf(objective, 'good')]: `0+${EVENTS_A_MINUTE - bad}x200`,
      },
      at: burn.ringsAt, labels: {},
    },
    // For twenty minutes half of everything was bad, then nothing: over by the short time alone.
    silent: {
      [seriesOf(objective, 'bad')]: '0+5000x20 100000x400',
      [seriesOf(objective, 'good')]: '0+5000x420',
    },
    silentAt: burn.silentAt,
  };
}
