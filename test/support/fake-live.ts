import type { LiveFeeds } from '../../services/gateways/live/create-live.ts';
import { sseEvent } from '../../services/gateways/live/sse.ts';
import type { StreamLine } from '../../services/kernel/stream-line.ts';

const MAP = {
  at_ms: 1_764_000_005_123, gone: [], has_more: false,
  positions: [['6f1c2d3e-4b5a-5c6d-8e7f-9a0b1c2d3e4f', 1_764_000_000, 48.1, 11.5, null, null, null]],
};
const FACTS = {
  at_ms: 1_764_000_005_123,
  facts: [{
    kind: 'device', record_id: 'mF3kQ2xRTyCqgS8bVdE1Aw:3:12345', recorded_at_ms: 1_764_000_005_120,
    fact: { type: 'DeviceTrackingStarted' },
  }],
};

/** Live feeds without a log: each line gets one event and ends, unless they refuse it. */
export function fakeLive(refusal?: 'not_ready'): LiveFeeds {
  const say = (event: string, data: object, line: StreamLine) => {
    line.write(sseEvent(event, JSON.stringify(data), 'id'));
    line.end();
    return () => undefined;
  };
  return {
    fixes: { join: (_question, line) => say('positions', MAP, line) },
    facts: { join: (_audience, _id, line) => say('facts', FACTS, line) },
    wake: () => Promise.resolve(),
    refuses: () => refusal,
    refusesLine: () => undefined,
    admit: () => () => undefined,
  };
}
