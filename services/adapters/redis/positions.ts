import type { LastPosition, PositionOffer, PositionStates } from '../../kernel/positions.ts';
import type { RedisConfig } from './config.ts';
import type { RedisClient } from './connection.ts';
import { keys, tagOfClient } from './keys.ts';
import { isMarked, mark } from './marks.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';

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
      if (typeof reply !== 'string') return undefined;
      const fix = JSON.parse(reply) as LastPosition;
      return fix.client_id === clientId ? fix : undefined;
    },

    isComplete: () => isMarked(config, client, keys.positionsComplete),
    markComplete: (owner) => mark(config, runScript, owner, keys.positionsComplete),
  };
}

function offerArgs(offer: PositionOffer): readonly (string | number)[] {
  const { position, ...fix } = offer;
  return [offer.timestamp, position.topicId, String(position.offset), JSON.stringify(fix)];
}
