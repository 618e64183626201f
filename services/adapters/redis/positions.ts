import type { LastPosition, PositionOffer, PositionStates } from '../../kernel/positions.ts';
import type { RedisConfig } from './config.ts';
import { keys, TAGS, tagOfClient } from './keys.ts';
import { everyShard } from './readiness.ts';
import type { RedisClient } from './connection.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';
import { toFault } from './faults.ts';

/** Last positions as hashes: what decides which one is newest, and the fix itself as JSON. */
export function createPositionStates(
  config: RedisConfig, client: RedisClient, runScript: RunScript,
): PositionStates {
  return {
    async offer(offers) {
      const placed = offers.map((item): Placed<PositionOffer> => (
        { tag: tagOfClient(item.client_id), item }
      ));
      for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
        await runScript(
          'offer-positions',
          call.map(({ tag, item }) => keys.position(tag, item.device_id)),
          call.flatMap(({ item }) => offerArgs(item)),
        );
      }
    },

    async find(clientId, deviceId) {
      const tag = tagOfClient(clientId);
      const reply = await runScript(
        'find-position',
        [keys.ready(tag), keys.positionsComplete(tag), keys.position(tag, deviceId)], [],
      );
      if (reply === null) return undefined;
      const fix = JSON.parse(String(reply)) as LastPosition;
      return fix.client_id === clientId ? fix : undefined;
    },

    isComplete: () => everyShard(config, client, keys.positionsComplete),

    async markComplete() {
      try {
        for (const tag of TAGS) await client.set(keys.positionsComplete(tag), '1');
      } catch (error) {
        throw toFault(error, 'apply', 'mark positions complete');
      }
    },
  };
}

function offerArgs(offer: PositionOffer): readonly (string | number)[] {
  const { position, ...fix } = offer;
  return [offer.timestamp, position.topicId, String(position.offset), JSON.stringify(fix)];
}
