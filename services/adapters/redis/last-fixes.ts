import type {
  GeoBox, LastFix, FixOffer, LastFixes,
} from '../../kernel/fixes.ts';
import type { TrackErased } from '../../kernel/erased-tracks.ts';
import { HISTORY_MS } from '../../kernel/lifetimes.ts';
import type { RedisConfig } from './config.ts';
import { indexedPoint, scoreRanges } from './geo-ranges.ts';
import type { Incarnation } from './incarnation.ts';
import { keys, tagOfClient } from './keys.ts';
import { mark } from './marks.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';

/** Intervals of the fleet's index that cover a box: more fit it closer and cost more look-ups. */
const FLEET_RANGES_MAX = 32;

/**
 * Last positions as hashes: what decides which one is newest, and the fix itself as JSON. One goes
 * 400 days after it last moved.
 */
export function createLastFixes(
  config: RedisConfig, incarnation: Incarnation, runScript: RunScript,
): LastFixes {
  return {
    async offer(offers) {
      const placed = offers.map((item): Placed<FixOffer> => (
        { tag: tagOfClient(item.client_id), item }
      ));
      for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
        await runScript(
          'offer-fixes',
          call.map(({ tag, item }) => keys.lastFix(tag, item.device_id)),
          [HISTORY_MS, ...call.flatMap(({ item }) => offerArgs(item))],
        );
      }
    },

    async erase(tracks) {
      const placed = tracks.map((item): Placed<TrackErased> => (
        { tag: tagOfClient(item.client_id), item }
      ));
      for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
        await runScript(
          'erase-fixes',
          call.map(({ tag, item }) => keys.lastFix(tag, item.device_id)),
          call.flatMap(({ item }) => [item.client_id, item.received_until_ms]),
        );
      }
    },

    async find(clientId, deviceId) {
      const tag = tagOfClient(clientId);
      const reply = await runScript(
        'find-fix',
        [keys.ready(tag), keys.fixesComplete(tag), keys.lastFix(tag, deviceId)], [],
      );
      if (typeof reply !== 'string') return undefined;
      const fix = JSON.parse(reply) as LastFix;
      return fix.client_id === clientId ? fix : undefined;
    },

    async findWithin(clientId, box, after, limit) {
      const tag = tagOfClient(clientId);
      const ranges = scoreRanges(box, FLEET_RANGES_MAX);
      const [score = '', deviceId = '', ...fixes] = await runScript(
        'find-fleet',
        [keys.ready(tag), keys.fixesComplete(tag), keys.fleet(tag, clientId)],
        [
          limit, after?.score ?? '', after?.device_id ?? '',
          ...ranges.flatMap(({ least, most }) => [least, most]),
        ],
      ) as readonly string[];
      return {
        fixes: fixes.map((fix) => JSON.parse(fix) as LastFix)
          .filter((fix) => fix.client_id === clientId && isWithin(box, fix)),
        next: score === '' ? undefined : { score: Number(score), device_id: deviceId },
      };
    },

    isComplete: () => incarnation.isMarked(keys.fixesComplete),
    markComplete: (owner) => mark(
      config, incarnation, runScript, owner, keys.fixesComplete,
    ),
  };
}

function offerArgs(offer: FixOffer): readonly (string | number)[] {
  const { recordId, ...fix } = offer;
  return [
    offer.timestamp, recordId.topicId, String(recordId.offset), JSON.stringify(fix),
    offer.client_id, ...indexedPoint(offer), offer.received_at_ms,
  ];
}

function isWithin(box: GeoBox, { latitude, longitude }: LastFix): boolean {
  if (latitude < box.min_latitude || latitude > box.max_latitude) return false;
  const { min_longitude: west, max_longitude: east } = box;
  return west <= east
    ? longitude >= west && longitude <= east
    : longitude >= west || longitude <= east;
}
