import { hostPortOf, reachAny, reachHttp } from '../adapters/system/reach.ts';
import type { TlsTexts } from '../kernel/tls.ts';

/** Where a store is, and how to trust it where its address says TLS. */
export interface StoreAddress {
  readonly url: string;
  readonly tls?: TlsTexts | undefined;
}

/** Says within seconds that the tables do not answer, and where they should be. */
export function reachTables({ url, tls }: StoreAddress): Promise<void> {
  return reachHttp('The tables (CLICKHOUSE_URL)', url, '/ping', tls);
}

/** The same of the state store, which answers also a stranger: with a refusal. */
export function reachState({ url, tls }: StoreAddress): Promise<void> {
  return reachAny('The state store (REDIS_URL)', [hostPortOf(url)], {
    greeting: 'PING\r\n', tls: url.startsWith('rediss:') ? tls ?? {} : undefined,
  });
}
