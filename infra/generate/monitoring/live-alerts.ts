import { LIVE_LIMITS } from '../../../services/gateways/live/limits.ts';
import { metric } from './metric.ts';
import type { Alert } from './alert.ts';

/** Above it one more Pod is wanted before callers are refused. */
const VIEWERS_MAX = LIVE_LIMITS.viewersMax * 0.9;

/** Alarms about the live feeds. */
export function liveAlerts(): readonly Alert[] {
  return [
    {
      name: 'RastroLiveBehind', severity: 'ticket', lasting: '5m',
      expr: `max by (job) (${metric('rastro_live_behind_seconds')}) > 10`,
      summary: 'Live feeds show what happened more than ten seconds ago.',
      rings: {
        series: { 'rastro_live_behind_seconds{job="live"}': '30x20' },
        at: '10m', labels: { job: 'live' },
      },
      silent: { 'rastro_live_behind_seconds{job="live"}': '30x3 0.3x20' },
    },
    {
      name: 'RastroLiveFull', severity: 'ticket', lasting: '5m',
      expr: `sum by (job, instance) (${metric('rastro_live_viewers')}) > ${VIEWERS_MAX}`,
      summary: 'A live gateway has nearly as many callers as it takes; the next ones are refused.',
      rings: {
        series: {
          'rastro_live_viewers{job="live",instance="a",feed="positions"}': '1000x20',
          'rastro_live_viewers{job="live",instance="a",feed="facts"}': '810x20',
        },
        at: '10m', labels: { job: 'live', instance: 'a' },
      },
      silent: {
        'rastro_live_viewers{job="live",instance="a",feed="positions"}': '1000x20',
        'rastro_live_viewers{job="live",instance="b",feed="positions"}': '1000x20',
      },
    },
  ];
}
