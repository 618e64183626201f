import type { ClientRates } from '../../kernel/client-rates.ts';
import type { TlsTexts } from '../../kernel/tls.ts';

/** Settings of the Redis adapter. Everything that may grow or wait has a bound here. */
export interface RedisConfig {
  /** `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS. */
  readonly url: string;
  /** Who signs the servers, and who we are, where the address says TLS. */
  readonly tls?: TlsTexts | undefined;
  /** True for Redis Cluster: every call then stays within one shard, which is one slot. */
  readonly cluster: boolean;
  /** Further nodes of a cluster, host:port; any that answers says where the others are. */
  readonly clusterNodes: readonly string[];
  /**
   * Sentinels, host:port, which say where the primary is, so that the address has none to say;
   * none where the address is that of the server.
   */
  readonly sentinels: readonly string[];
  /** What the Sentinels call the primary, and who logs in at them. */
  readonly sentinelPrimary: string;
  readonly sentinelUsername?: string | undefined;
  readonly sentinelPassword?: string | undefined;
  /**
   * Where another server may take over: a server that is silent for so long is left, because it
   * may not know yet that it was replaced. Shorter than the time after which others take over.
   */
  readonly silentMsMax: number;
  /**
   * Refuse to start on a server that may evict keys, or may answer after another took over; off
   * where `CONFIG` is denied.
   */
  readonly evictionCheck: boolean;
  readonly bootMsMax: number;
  readonly connectMsMax: number;
  readonly commandMsMax: number;
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
  /** Admission reads that share one call, calls in flight, and reads that may wait for one. */
  readonly admissionBatchMax: number;
  readonly admissionFlightsMax: number;
  readonly admissionWaitingMax: number;
  /** Longest time that a read lingers when load is high; 0 when load is low. */
  readonly admissionLingerMsMax: number;
  readonly admissionMsMax: number;
  /** Limits per client (decisions.md, 429). */
  readonly requestsPerSecond: number;
  readonly requestsBurst: number;
  readonly locationsPerSecond: number;
  readonly locationsBurst: number;
  readonly notificationsPerSecond: number;
  readonly notificationsBurst: number;
  /** Bytes of bodies beyond those that each call includes. */
  readonly bytesPerSecond: number;
  readonly bytesBurst: number;
  /** Limit per device, within that of its client. */
  readonly deviceRequestsPerSecond: number;
  readonly deviceRequestsBurst: number;
  /** Limits of token requests, per client id and per address (decisions.md, 429 elsewhere). */
  readonly tokenRequestsPerMinute: number;
  readonly tokenRequestsBurst: number;
  /**
   * Wrong secrets for one client id from one address: so many are answered at once, then each
   * needs a wait that doubles from the least to the most, until nothing failed for the time kept.
   */
  readonly tokenFailuresFree: number;
  readonly tokenDelayMsMin: number;
  readonly tokenDelayMsMax: number;
  readonly tokenFailuresKeptMs: number;
  /** Counters of failures in each shard; all client ids that strangers invent share them. */
  readonly tokenFailureSlots: number;
  /** Life of a claim; longer than any request may take, so that a live caller never loses it. */
  readonly claimLeaseMs: number;
  /**
   * How long after a rebuild facts may come into the log whose claims the store has lost: longer
   * than any append may be in progress. Meanwhile only the log says which of two facts counts.
   */
  readonly rebuildDoubtMs: number;
  /** How long a token stays in the store after its end, for clocks that differ. */
  readonly tokenGraceMs: number;
  /** Facts that one applying call carries, so that no call blocks the server for long. */
  readonly applyBatchMax: number;
}

/** The limits of a client that has none of its own. */
export function ratesIn(
  config: Pick<
    RedisConfig,
    'requestsPerSecond' | 'requestsBurst' | 'locationsPerSecond' | 'locationsBurst'
    | 'notificationsPerSecond' | 'notificationsBurst'
    | 'bytesPerSecond' | 'bytesBurst' | 'deviceRequestsPerSecond' | 'deviceRequestsBurst'
  >,
): ClientRates {
  return {
    'client': { perSecond: config.requestsPerSecond, burst: config.requestsBurst },
    'client-locations': { perSecond: config.locationsPerSecond, burst: config.locationsBurst },
    'client-notifications': {
      perSecond: config.notificationsPerSecond, burst: config.notificationsBurst,
    },
    'client-bytes': { perSecond: config.bytesPerSecond, burst: config.bytesBurst },
    'device': { perSecond: config.deviceRequestsPerSecond, burst: config.deviceRequestsBurst },
  };
}

/** Defaults of everything but the address. */
export const REDIS_DEFAULTS: Omit<RedisConfig, 'url'> = {
  cluster: false,
  clusterNodes: [],
  sentinels: [],
  sentinelPrimary: 'rastro',
  silentMsMax: 1_000,
  evictionCheck: true,
  bootMsMax: 10_000,
  connectMsMax: 2_000,
  commandMsMax: 2_000,
  reconnectMsMin: 50,
  reconnectMsMax: 1_000,
  admissionBatchMax: 256,
  admissionFlightsMax: 1,
  admissionWaitingMax: 20_000,
  admissionLingerMsMax: 3,
  admissionMsMax: 2_000,
  requestsPerSecond: 200,
  requestsBurst: 400,
  locationsPerSecond: 20_000,
  locationsBurst: 20_000,
  notificationsPerSecond: 500,
  notificationsBurst: 2_000,
  bytesPerSecond: 20_971_520,
  bytesBurst: 41_943_040,
  deviceRequestsPerSecond: 20,
  deviceRequestsBurst: 40,
  tokenRequestsPerMinute: 10,
  tokenRequestsBurst: 20,
  tokenFailuresFree: 5,
  tokenDelayMsMin: 1_000,
  tokenDelayMsMax: 300_000,
  tokenFailuresKeptMs: 900_000,
  tokenFailureSlots: 256,
  claimLeaseMs: 10_000,
  rebuildDoubtMs: 60_000,
  tokenGraceMs: 60_000,
  applyBatchMax: 200,
};
