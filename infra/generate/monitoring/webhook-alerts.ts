import { happened, metric } from './metric.ts';
import type { Alert } from './alert.ts';

/** A receiver that is away for a night is tried again without anyone. */
const LATE_SECONDS = 8 * 3_600;

/** Alarms about webhooks. Every process shows the same numbers, so that the most of them count. */
export function webhookAlerts(): readonly Alert[] {
  return [
    {
      name: 'RastroWebhooksParked', severity: 'ticket', lasting: '5m',
      expr: `max(${metric('rastro_webhook_parked_keys')}) > 0`,
      summary: 'Facts for a webhook are not tried any more and wait for an operator.',
      rings: { series: { 'rastro_webhook_parked_keys{instance="a"}': '3x20' }, at: '10m', labels: {} },
      silent: { 'rastro_webhook_parked_keys{instance="a"}': '3x3 0x20' },
    },
    {
      name: 'RastroWebhooksLate', severity: 'ticket', lasting: '5m',
      expr: `max(${metric('rastro_webhook_late_seconds')}) > ${LATE_SECONDS}`,
      summary: 'A webhook has not taken a fact for eight hours.',
      rings: {
        series: { 'rastro_webhook_late_seconds{instance="a"}': '29000x20' }, at: '10m', labels: {},
      },
      silent: { 'rastro_webhook_late_seconds{instance="a"}': '28000x20' },
    },
    {
      name: 'RastroWebhookGap', severity: 'ticket', lasting: '0m',
      expr: `${happened('rastro_webhook_removed_total', '1h', { by: ['reason'] })} > 0`,
      summary: 'The log lost records before a webhook had them.',
      rings: {
        series: { 'rastro_webhook_removed_total{reason="retention"}': '_x5 1x30' },
        at: '20m', labels: { reason: 'retention' },
      },
      silent: { 'rastro_webhook_removed_total{reason="retention"}': '4x65' },
      silentAt: '65m',
    },
  ];
}
