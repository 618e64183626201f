import type { Alert } from './alert.ts';
import { quantile } from './metric.ts';

/** Alarms about what callers see, beside those about the budget of failed calls. */
export function callAlerts(): readonly Alert[] {
  const seconds = 'rastro_http_request_seconds';
  return [
    {
      name: 'RastroHighLatency', severity: 'ticket', lasting: '10m',
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
