import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { RedisStates } from '../adapters/redis/open-redis.ts';
import type { States } from '../state/create-states.ts';
import { createAccessApplier } from './projector/access/apply-access-records.ts';
import { POSITION_AGE_SECONDS_MAX } from './assemble-config.ts';
import { createAuthorizationApplier } from './projector/authorizations/apply-authorization-records.ts';
import { createCommandApplier } from './projector/commands/apply-command-records.ts';
import { applyByTopic } from './common/apply-by-topic.ts';
import type { ReadRecord } from './common/read-record.ts';
import { createDeliveryApplier } from './projector/deliveries/apply-delivery-records.ts';
import { createLifecycleApplier, createPositionApplier } from './projector/devices/apply-device-records.ts';
import { createPersonalApplier } from './projector/personal/apply-personal-records.ts';
import { createFeedApplier } from './parties/feeds/apply-feed-records.ts';
import type { WatchSources } from './rebuild/watch-state.ts';
import { createJourneyApplier } from './journey/replay-journeys.ts';

const POSITIONS = { positionAgeSecondsMax: POSITION_AGE_SECONDS_MAX };

/** Everything that a state store is rebuilt from, with the functions of the keepers themselves. */
export function rebuildSourcesOf(
  states: RedisStates & States, readRecord: ReadRecord,
): WatchSources {
  return {
    state: [
      {
        topics: [TOPICS.personalKeys.name],
        applyRecords: createPersonalApplier(states.personalKeys, readRecord),
      },
      {
        topics: [TOPICS.clients.name, TOPICS.tokens.name, TOPICS.parties.name],
        applyRecords: createAccessApplier(states.access, states.parties, readRecord),
      },
      {
        topics: [TOPICS.journey.name],
        applyRecords: createJourneyApplier(states.shipments, readRecord),
      },
      {
        topics: [TOPICS.deviceLifecycle.name],
        applyRecords: createLifecycleApplier(states.devices, readRecord),
      },
      {
        topics: [TOPICS.providerCommands.name, TOPICS.providerCommandResults.name],
        applyRecords: createCommandApplier(states.commands, readRecord),
      },
      {
        topics: [TOPICS.authorizations.name, TOPICS.authorizationCalls.name],
        applyRecords: createAuthorizationApplier(states, readRecord),
      },
      { topics: [TOPICS.feeds.name], applyRecords: createFeedApplier(states.feeds, readRecord) },
    ],
    positions: {
      topics: [TOPICS.locations.name, TOPICS.deliveryLocations.name],
      applyRecords: applyByTopic({
        [TOPICS.locations.name]: createPositionApplier(POSITIONS, states.positions),
        [TOPICS.deliveryLocations.name]: createDeliveryApplier(POSITIONS, states.traceables),
      }),
    },
  };
}
