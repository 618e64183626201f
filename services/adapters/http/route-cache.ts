import type { Mounted } from './request-context.ts';
import type { QueryReading } from './request/read-query.ts';

/** What the router and the reader of queries made of a URL. */
export interface CachedRoute {
  readonly mounted: Mounted;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryReading;
}

/** Routes of recent request URLs of one method, by the text of the URL. */
export interface RouteCache {
  find(url: string): CachedRoute | undefined;
  keep(url: string, route: CachedRoute): void;
}

const GENERATION_MAX = 1_024;
const CHARACTERS_MAX = 512;

/**
 * Remembers routes. Data comes to few URLs again and again, and the same text
 * always means the same: operations are mounted once, at boot. Strangers may bring as many as they
 * like, so what is full grows old before it is forgotten, and what is asked for stays young.
 */
export function createRouteCache(): RouteCache {
  let young = new Map<string, CachedRoute>();
  let old = new Map<string, CachedRoute>();

  function keep(url: string, route: CachedRoute): void {
    if (url.length > CHARACTERS_MAX) return;
    if (young.size >= GENERATION_MAX) {
      old = young;
      young = new Map();
    }
    young.set(url, route);
  }

  return {
    keep,
    find(url) {
      const kept = young.get(url);
      if (kept !== undefined) return kept;
      const again = old.get(url);
      if (again !== undefined) keep(url, again);
      return again;
    },
  };
}
