import type { RedisConfig } from '../../../services/adapters/redis/config.ts';

/** Settings that change what the state store answers; the real adapter has the same. */
export type StateSettings = Pick<
  RedisConfig,
  'requestsPerSecond' | 'requestsBurst' | 'locationsPerSecond' | 'locationsBurst'
  | 'notificationsPerSecond' | 'notificationsBurst'
  | 'bytesPerSecond' | 'bytesBurst' | 'deviceRequestsPerSecond' | 'deviceRequestsBurst'
  | 'tokenRequestsPerMinute' | 'tokenRequestsBurst' | 'claimLeaseMs' | 'rebuildDoubtMs'
  | 'tokenFailuresFree' | 'tokenDelayMsMin' | 'tokenDelayMsMax' | 'tokenFailuresKeptMs'
>;

/** When each bucket of a limit is empty again, by its name. */
export type Buckets = Map<string, number>;
