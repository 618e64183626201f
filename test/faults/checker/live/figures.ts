import type { Evidence } from '../evidence.ts';
import { mapsFreshAfter } from './maps.ts';
import { viewersOf } from './viewers.ts';

/** How much the viewers of a run saw; nothing where it had none. */
export function liveCounts(evidence: Evidence): Readonly<Record<string, number>> {
  const viewers = viewersOf(evidence);
  if (viewers.length === 0) return {};
  const events = viewers.flatMap(({ lines }) => lines.map(({ event }) => event));
  const count = (name: string): number => events.filter((event) => event === name).length;
  return {
    viewers: viewers.length, view_calls: count('answer'), view_resets: count('reset'),
    maps_fresh_after_ms: Math.round(mapsFreshAfter(evidence) ?? 0),
  };
}
