import type {
  ForgottenTraceable, TraceableOffer, TraceableFix, TraceableFixes,
} from '../../kernel/traceables.ts';
import type { RedisConfig } from './config.ts';
import { entityDigest, keys, tagOfClient } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';

/** How long a traceable that does not move any more is kept. */
const KEPT_MS = 30 * 86_400_000;

/** Last positions of traceables as hashes, kept as those of devices are, without an index. */
export function createTraceableFixes(
  config: RedisConfig, runScript: RunScript,
): TraceableFixes {
  return {
    async offer(offers) {
      const placed = offers.map((item): Placed<TraceableOffer> => (
        { tag: tagOfClient(item.client_id), item }
      ));
      for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
        await runScript(
          'offer-traceables',
          call.map(({ tag, item }) =>
            keyOf(tag, item.client_id, item.traceable_type, item.traceable_id)),
          [KEPT_MS, ...call.flatMap(({ item }) => offerArgs(item))],
        );
      }
    },

    async forget(traceables) {
      const placed = traceables.map((item): Placed<ForgottenTraceable> => (
        { tag: tagOfClient(item.client_id), item }
      ));
      for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
        await runScript(
          'forget-traceables',
          call.map(({ tag, item }) =>
            keyOf(tag, item.client_id, item.traceable_type, item.traceable_id)),
          call.map(({ item }) => item.received_until_ms),
        );
      }
    },

    async find(clientId, traceableType, traceableId) {
      const tag = tagOfClient(clientId);
      const reply = await runScript('find-fix', [
        keys.ready(tag), keys.fixesComplete(tag),
        keyOf(tag, clientId, traceableType, traceableId),
      ], []);
      return typeof reply === 'string' ? JSON.parse(reply) as TraceableFix : undefined;
    },
  };
}

function offerArgs({ recordId, ...fix }: TraceableOffer): readonly (string | number)[] {
  return [fix.timestamp, recordId.topicId, String(recordId.offset), JSON.stringify(fix)];
}

function keyOf(tag: string, clientId: string, type: string, id: string): string {
  return keys.traceable(tag, clientId, entityDigest(type, id));
}
