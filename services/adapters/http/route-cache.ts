import { createBoundedCache } from '../../kernel/bounded-cache.ts';
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

const ROUTES_MAX = 2_048;
const CHARACTERS_MAX = 512;

/**
 * Remembers routes. Data comes to few URLs again and again, and the same text always means the
 * same: operations are mounted once, at boot. Strangers may bring as many as they like.
 */
export function createRouteCache(): RouteCache {
  const routes = createBoundedCache<string, CachedRoute>(ROUTES_MAX);
  return {
    find: (url) => routes.get(url),
    keep(url, route) {
      if (url.length <= CHARACTERS_MAX) routes.set(url, route);
    },
  };
}
