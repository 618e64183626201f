import { longOf, type Long } from '../../kernel/longs.ts';
import type { PlannedRoute } from '../../../schemas/generated/types.ts';

/** The routes that the platform planned and did not cancel, by their id. */
export interface PlannedRoutes {
  readonly plan: (routes: readonly PlannedRoute[]) => void;
  /** Routes that are not known are cancelled already. */
  readonly cancel: (routes: readonly PlannedRoute[]) => void;
  readonly find: (route_id: Long) => PlannedRoute | undefined;
  readonly count: () => number;
}

/** Keeps at most so many routes; the oldest goes first. Planning one again replaces it. */
export function createPlannedRoutes(routesMax: number): PlannedRoutes {
  const known = new Map<Long, PlannedRoute>();
  return {
    plan(routes) {
      for (const route of routes) {
        known.delete(longOf(route.route_id));
        known.set(longOf(route.route_id), route);
        const oldest = known.keys().next();
        if (known.size > routesMax && oldest.done !== true) known.delete(oldest.value);
      }
    },
    cancel(routes) {
      for (const { route_id } of routes) known.delete(longOf(route_id));
    },
    find: (route_id) => known.get(longOf(route_id)),
    count: () => known.size,
  };
}
