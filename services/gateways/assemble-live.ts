import type { RedisStates } from '../adapters/redis/open-redis.ts';
import { createOffsetSeals } from '../adapters/secrets/offset-seals.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';
import type { States } from '../state/create-states.ts';
import { groupOf } from '../workers/workers.ts';
import type { GatewaysConfig } from './assemble-config.ts';
import type { GatewayRoom } from './gateways.ts';
import { createLive, type Live } from './live/create-live.ts';
import { LIVE_LIMITS } from './live/limits.ts';

/** What the live feeds are made of. */
export interface LiveParts {
  readonly config: Pick<GatewaysConfig, 'RASTRO_SECRET_PEPPER'>;
  readonly kafka: Pick<KafkaLog, 'admin' | 'follower' | 'rangeReader'>;
  readonly states: Pick<RedisStates & States, 'directory' | 'access' | 'lastFixes'>;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  readonly onCrash: (error: unknown) => void;
}

/**
 * Makes the live feeds of a process that has that room, and lets them follow the log. They end
 * their streams when the process ends.
 */
export function openLive(
  rooms: readonly GatewayRoom[], parts: LiveParts,
): Live | undefined {
  if (!rooms.includes('live')) return undefined;
  const { config, kafka, states, signals, lifecycle, onCrash } = parts;
  const live = createLive(LIVE_LIMITS, {
    follower: kafka.follower, reader: kafka.rangeReader, watch: createLogWatch(kafka.admin),
    directory: states.directory, access: states.access, lastFixes: states.lastFixes,
    seals: createOffsetSeals(config.RASTRO_SECRET_PEPPER),
    projectorGroup: groupOf('projector.devices'),
    clock: systemClock, pause: systemPause, signals,
  });
  live.run().catch(onCrash);
  lifecycle.onRelease('live', () => live.close());
  return live;
}
