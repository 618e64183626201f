import type { Alert } from './alert.ts';
import { quantile } from './metric.ts';
import { errorShare } from './recordings.ts';

/** Of a thousand calls one may fail, over thirty days. */
const BUDGET = 0.001;

/** Rates at which a budget of 30 days is gone in 2 days (2 % in an hour) and in 5 (5 % in six). */
const FAST = 14.4;
const SLOW = 6;

/** Alarms about what callers see. */
export function callAlerts(): readonly Alert[] {
  const failing = { 'rastro_http_requests_total{status="500"}': '0+2x400' };
  const fine = { 'rastro_http_requests_total{status="202"}': '0+98x400' };
  const share = (over: Parameters<typeof errorShare>[0], rate: number): string =>
    `${errorShare(over)} > ${Number((rate * BUDGET).toFixed(4))}`;
  const seconds = 'rastro_http_request_seconds';
  return [
    {
      name: 'RastroCallsFailFast', severity: 'page', lasting: '2m',
      expr: `${share('1h', FAST)} and ${share('5m', FAST)}`,
      summary: 'So many calls fail that the month\'s budget is gone in two days.',
      rings: { series: { ...failing, ...fine }, at: '90m', labels: {} },
      silent: { ...fine, 'rastro_http_requests_total{status="500"}': '0+1x400 400x60' },
    },
    {
      name: 'RastroCallsFailSlowly', severity: 'ticket', lasting: '15m',
      expr: `${share('6h', SLOW)} and ${share('30m', SLOW)}`,
      summary: 'So many calls fail that the month\'s budget is gone in five days.',
      rings: {
        series: {
          'rastro_http_requests_total{status="500"}': '0+1x400',
          'rastro_http_requests_total{status="202"}': '0+99x400',
        },
        at: '390m', labels: {},
      },
      silent: { 'rastro_http_requests_total{status="202"}': '0+99x400' },
    },
    {
      name: 'RastroCallsSlow', severity: 'ticket', lasting: '10m',
      expr: `${quantile(0.99, seconds, '5m', 'operation')} > 1`,
      summary: 'Of a hundred calls of an operation one takes more than a second.',
      rings: {
        series: {
          [`${seconds}_bucket{operation="o",le="1"}`]: '0+50x30',
          [`${seconds}_bucket{operation="o",le="2.5"}`]: '0+60x30',
          [`${seconds}_bucket{operation="o",le="+Inf"}`]: '0+60x30',
        },
        at: '20m', labels: { operation: 'o' },
      },
      silent: {
        [`${seconds}_bucket{operation="o",le="0.5"}`]: '0+60x30',
        [`${seconds}_bucket{operation="o",le="+Inf"}`]: '0+60x30',
      },
    },
  ];
}
