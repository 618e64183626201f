import { ClickHouseError } from '@clickhouse/client';
import type { Audits } from '../../kernel/audits.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { DeviceTracks } from '../../kernel/device-tracks.ts';
import type { IngestMinutes } from '../../kernel/ingest-minutes.ts';
import type { ItemOutcomeReader } from '../../kernel/ingest.ts';
import type { PastFleet } from '../../kernel/past-fleet.ts';
import type { PlatformHistory } from '../../kernel/platform-history.ts';
import type { ProviderQuality } from '../../kernel/provider-quality.ts';
import type { ShipmentHistory } from '../../kernel/shipment-history.ts';
import type { Signals } from '../../kernel/signals.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';

/** What gateways read from one replica of the tables. */
export interface TableReads {
  readonly history: ShipmentHistory;
  readonly itemOutcomes: ItemOutcomeReader;
  readonly platformHistory: PlatformHistory;
  readonly pastFleet: PastFleet;
  readonly deviceTracks: DeviceTracks;
  readonly providerQuality: ProviderQuality;
  readonly ingestMinutes: IngestMinutes;
  readonly audits: Audits;
}

/** What reading from several replicas takes. */
export interface ReadReplicasPorts {
  readonly clock: Clock;
  readonly signals: Signals;
}

/** How long a replica that could not be reached is asked last. */
const AWAY_MS = 5_000;

/**
 * Reads from the first replica, and from the next one when it does not answer; rejects, as the
 * first one did, only when none answers. Each question is answered by one replica alone, since
 * they may be at different offsets of the log.
 */
export function readReplicas(
  replicas: readonly TableReads[], ports: ReadReplicasPorts,
): TableReads {
  const inOrder = createOrder(replicas, ports);
  return {
    history: {
      notifications: (...asked) => inOrder(({ history }) => history.notifications(...asked)),
      journey: (...asked) => inOrder(({ history }) => history.journey(...asked)),
    },
    itemOutcomes: {
      find: (...asked) => inOrder(({ itemOutcomes }) => itemOutcomes.find(...asked)),
      newest: (...asked) => inOrder(({ itemOutcomes }) => itemOutcomes.newest(...asked)),
    },
    platformHistory: {
      lastPlace: (...asked) => inOrder((each) => each.platformHistory.lastPlace(...asked)),
      deferredAnswer: (...asked) => (
        inOrder((each) => each.platformHistory.deferredAnswer(...asked))
      ),
    },
    pastFleet: { find: (...asked) => inOrder(({ pastFleet }) => pastFleet.find(...asked)) },
    providerQuality: {
      find: (...asked) => inOrder(({ providerQuality }) => providerQuality.find(...asked)),
    },
    deviceTracks: {
      find: (...asked) => inOrder(({ deviceTracks }) => deviceTracks.find(...asked)),
    },
    ingestMinutes: {
      find: (...asked) => inOrder(({ ingestMinutes }) => ingestMinutes.find(...asked)),
    },
    audits: { find: (...asked) => inOrder(({ audits }) => audits.find(...asked)) },
  };
}

function createOrder(
  replicas: readonly TableReads[], { clock, signals }: ReadReplicasPorts,
): <Answer>(ask: (replica: TableReads) => Promise<Answer>) => Promise<Answer> {
  const awayUntilMs = new Map<TableReads, number>();
  const isAway = (replica: TableReads): boolean => (
    (awayUntilMs.get(replica) ?? 0) > clock.nowMs()
  );
  return async (ask) => {
    const order = [
      ...replicas.filter((each) => !isAway(each)), ...replicas.filter(isAway),
    ];
    const errors: unknown[] = [];
    for (const replica of order) {
      try {
        return await ask(replica);
      } catch (error) {
        if (isUnavailable(error)) {
          signals.sinkFailed({ code: error.code });
          // One that answers anything is there; the question may be at fault.
          if (!(error.cause instanceof ClickHouseError)) {
            awayUntilMs.set(replica, clock.nowMs() + AWAY_MS);
          }
        }
        errors.push(error);
      }
    }
    throw errors.find(isUnavailable) ?? errors[0];
  };
}
