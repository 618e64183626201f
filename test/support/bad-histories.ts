import { HEALTH_HISTORIES, ORDER_HISTORIES } from './bad-histories/health.ts';
import { DECISION_HISTORIES, ITEM_HISTORIES } from './bad-histories/items.ts';
import { LIVE_HISTORIES } from './bad-histories/live.ts';
import { WEBHOOK_HISTORIES } from './bad-histories/webhooks.ts';
import type { BadHistory } from './bad-histories/spoil.ts';

/** Every way to spoil a run that the checker is proven to see. */
export const BAD_HISTORIES: readonly BadHistory[] = [
  ...ITEM_HISTORIES, ...DECISION_HISTORIES, ...ORDER_HISTORIES, ...HEALTH_HISTORIES,
  ...WEBHOOK_HISTORIES, ...LIVE_HISTORIES,
];
