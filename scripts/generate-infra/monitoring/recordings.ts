import { metric } from './metric.ts';

/** Share of calls that were answered with a 5xx, over each time that a burn rate is taken of. */
export const ERROR_SHARES = ['5m', '30m', '1h', '6h'] as const;

/** The recorded name of the share of failed calls over a time. */
export function errorShare(over: (typeof ERROR_SHARES)[number]): string {
  return `rastro:http_errors:share_${over}`;
}

/** Series that are worked out once and asked for often. */
export function recordings(): readonly { readonly record: string; readonly expr: string }[] {
  const calls = metric('rastro_http_requests_total', 'status');
  const items = metric('rastro_accepted_items_total', 'operation');
  return [
    ...ERROR_SHARES.map((over) => ({
      record: errorShare(over),
      expr: `(sum(rate(${calls}{status=~"5.."}[${over}])) or vector(0))`
        + ` / (sum(rate(${calls}[${over}])) > 0)`,
    })),
    { record: 'rastro:accepted_items:rate_5m', expr: `sum by (operation) (rate(${items}[5m]))` },
  ];
}
