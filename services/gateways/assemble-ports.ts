import type { RedisStates } from '../adapters/redis/open-redis.ts';
import type { Audits } from '../kernel/audits.ts';
import type { ScanBody } from '../kernel/body-scanner.ts';
import type { ClientRates } from '../kernel/client-rates.ts';
import type { DeviceTracks } from '../kernel/device-tracks.ts';
import type { ProofImages } from '../kernel/images.ts';
import type { ItemOutcomeReader } from '../kernel/ingest.ts';
import type { PastFleet } from '../kernel/past-fleet.ts';
import type { PersonalSeals } from '../kernel/personal.ts';
import type { PlatformHistory } from '../kernel/platform-history.ts';
import type { ProviderQuality } from '../kernel/provider-quality.ts';
import type { RecordLog } from '../kernel/record-log.ts';
import type { ShipmentHistory } from '../kernel/shipment-history.ts';
import type { TakenCalls } from '../kernel/taken-calls.ts';
import type { TenantConfig } from '../kernel/tenant-limits.ts';
import type { Pipeline } from '../operator/pipeline/pipeline.ts';
import type { States } from '../state/create-states.ts';
import type { OverflowSource } from '../operator/overflow/overflow-now.ts';
import type { LiveFeeds } from './live/create-live.ts';
import type { DeadLetterSource } from './operator/planned-replay.ts';
import type { OverOthers } from './assemble-dry-runs.ts';

/** The ports that operations are given. */
export interface OperationsPorts extends OverOthers<OperationsPorts> {
  readonly states: Omit<RedisStates, 'close'> & States;
  readonly log: RecordLog;
  readonly images: ProofImages;
  readonly personal: PersonalSeals;
  readonly history: ShipmentHistory;
  readonly itemOutcomes: ItemOutcomeReader;
  readonly platformHistory: PlatformHistory;
  readonly pastFleet: PastFleet;
  readonly deviceTracks: DeviceTracks;
  readonly providerQuality: ProviderQuality;
  readonly audits: Audits;
  /** Takes the tokens that were issued, beside the calls. */
  readonly takenCalls?: TakenCalls | undefined;
  /** Limits of a client that has none of its own. */
  readonly rates: ClientRates;
  readonly tenants: TenantConfig;
  /** Spares bodies of locations the exact way; without it all go it. */
  readonly scanLocations?: ScanBody | undefined;
  /** There where the room `live` is. */
  readonly live?: LiveFeeds | undefined;
  /** There where the room `operator` is. */
  readonly deadLetters?: DeadLetterSource | undefined;
  readonly pipeline?: Pipeline | undefined;
  readonly overflowSource?: OverflowSource | undefined;
}
