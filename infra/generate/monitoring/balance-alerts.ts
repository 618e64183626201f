import type { Alert } from './alert.ts';
import { happened, metric } from './metric.ts';

/**
 * Alarms about loss. It has no budget: one item without an outcome is one too many, and not knowing
 * is nearly as bad.
 */
export function balanceAlerts(): readonly Alert[] {
  const items = metric('rastro_ingest_unexplained_items');
  const records = metric('rastro_ingest_unread_records');
  const disputed = 'rastro_notifications_total';
  const match = '{outcome="disputed"}';
  const checks = metric('rastro_ingest_checks_total', 'code');
  return [
    {
      name: 'RastroItemsUnexplained', severity: 'page', lasting: '2m',
      expr: `max(${items}) > 0 or max(${records}) > 0`,
      summary: 'Accepted items have no outcome after a minute.',
      rings: { series: { [items]: '0x5 3x20', [records]: '0x30' }, at: '10m', labels: {} },
      silent: { [items]: '0x5 3 0x20', [records]: '0x30' },
    },
    {
      name: 'RastroLossCheckFailing', severity: 'ticket', lasting: '15m',
      expr: `sum(increase(${checks}{code="none"}[5m])) == 0 or absent(${checks}{code="none"})`,
      summary: 'The check for lost items has not run in a quarter of an hour.',
      rings: { series: { [`${checks}{code="none"}`]: '4x40' }, at: '25m', labels: {} },
      silent: { [`${checks}{code="none"}`]: '0+4x40' },
    },
    {
      name: 'RastroNotificationsDisputed', severity: 'ticket', lasting: '1m',
      expr: `${happened(disputed, '1h', { match })} > 0`,
      summary: 'Carriers notify tracking numbers that are another carrier\'s.',
      rings: {
        series: { [`${disputed}${match}`]: '_x5 3x60' }, at: '10m', labels: {},
      },
      silent: { [`${disputed}{outcome="applied"}`]: '0+4x40' },
    },
  ];
}
