import { createAudits } from '../adapters/clickhouse/audits.ts';
import { openClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { createDeviceTracks } from '../adapters/clickhouse/device-tracks.ts';
import { createIngestMinutes } from '../adapters/clickhouse/ingest-minutes.ts';
import { createItemOutcomeReader } from '../adapters/clickhouse/item-outcomes.ts';
import { createPastFleet } from '../adapters/clickhouse/past-fleet.ts';
import { createPlatformHistory } from '../adapters/clickhouse/platform-history.ts';
import { createProviderQuality } from '../adapters/clickhouse/provider-quality.ts';
import { readReplicas, type TableReads } from '../adapters/clickhouse/read-replicas.ts';
import { openShipmentHistory } from '../adapters/clickhouse/shipment-history.ts';
import { replicasIn } from '../adapters/config/replicas.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';
import {
  historyConfigOf, outcomesConfigOf, picturesConfigOf, type GatewaysConfig,
} from './assemble-config.ts';

/**
 * What gateways read of the tables, as the users `history` and `pictures`: from the replica of
 * `CLICKHOUSE_URL`, and from the others in their order when it does not answer.
 */
export function openTableReads(
  config: GatewaysConfig, signals: Signals, lifecycle: Lifecycle,
): TableReads {
  const others = replicasIn(config.CLICKHOUSE_REPLICAS).map(({ url }) => url);
  const urls = [config.CLICKHOUSE_URL, ...others];
  const replicas = urls.map((url) => (
    openReplica(url === undefined ? config : { ...config, CLICKHOUSE_URL: url }, signals, lifecycle)
  ));
  return readReplicas(replicas, { clock: systemClock, signals });
}

function openReplica(
  config: GatewaysConfig, signals: Signals, lifecycle: Lifecycle,
): TableReads {
  const history = openShipmentHistory(historyConfigOf(config));
  lifecycle.onRelease('history', () => history.close());
  const outcomes = outcomesConfigOf(config);
  const tables = outcomes && openClickHouse(outcomes, { signals });
  if (tables !== undefined) lifecycle.onRelease('fates', () => tables.close());
  const pictures = picturesConfigOf(config);
  const fleets = pictures && openClickHouse(pictures, { signals });
  if (fleets !== undefined) lifecycle.onRelease('pictures', () => fleets.close());
  return {
    history, itemOutcomes: createItemOutcomeReader(tables),
    platformHistory: createPlatformHistory(tables), pastFleet: createPastFleet(fleets),
    deviceTracks: createDeviceTracks(fleets), providerQuality: createProviderQuality(tables),
    ingestMinutes: createIngestMinutes(fleets), audits: createAudits(fleets),
  };
}
