import { randomInt } from 'node:crypto';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse, type ClickHouseConfig,
} from '../adapters/clickhouse/clickhouse.ts';
import { createDriverEraser } from '../adapters/clickhouse/driver-eraser.ts';
import { driverEraserOfEach, trackEraserOfEach } from '../adapters/clickhouse/each-replica.ts';
import { createOddFixes } from '../adapters/clickhouse/odd-fixes.ts';
import { createTrackEraser } from '../adapters/clickhouse/track-eraser.ts';
import type { ReplicaAddress } from '../adapters/config/replicas.ts';
import { openImages } from '../adapters/images/images.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { REDIS_DEFAULTS, type RedisConfig } from '../adapters/redis/config.ts';
import { readTextFile } from '../adapters/system/files.ts';
import { openRedis } from '../adapters/redis/open-redis.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createKeyRing } from '../adapters/secrets/key-ring.ts';
import { createPersonalSeals } from '../adapters/secrets/personal-seals.ts';
import { keyedSecrets, sha256 } from '../adapters/secrets/secrets.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import { isAlive, askToEnd } from '../adapters/system/processes.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import type { ArchiveEraser } from '../kernel/archive.ts';
import type { OddFixes } from '../kernel/odd-fixes.ts';
import { silentSignals, type Signals } from '../kernel/signals.ts';
import { Unavailable } from '../kernel/unavailable.ts';
import { createStates } from '../state/create-states.ts';
import { createWriteAudit, type WriteAudit } from './audit/record-command.ts';
import { openOperatorLog, reachLog, type LogConfig } from './assemble-log.ts';
import { reachState, reachTables } from './assemble-reach.ts';
import { keysFromLog } from './person/log.ts';
import type { InspectState, OperatorPorts } from './ports.ts';

/** What the command line needs to reach the log and to hash secrets as the gateways do. */
export interface OperatorConfig extends LogConfig {
  readonly secretPepper: string;
  readonly vaultKey?: string | undefined;
  readonly partySecret?: string | undefined;
  readonly personalKey?: string | undefined;
  readonly imageDir?: string | undefined;
  readonly imageKey?: string | undefined;
  /** Where the tables are and their replicas, and a user who may delete rows there. */
  readonly tables?: TablesAddress | undefined;
  /** Takes persons out of the archive of days, where there is one. */
  readonly archiveEraser?: ArchiveEraser | undefined;
  /** Where the state store is that some commands look at. */
  readonly redis?: StateAddress | undefined;
}

/** Where the tables are, and in which further replicas they are too. */
export interface TablesAddress
  extends Pick<ClickHouseConfig, 'url' | 'tls' | 'user' | 'password' | 'database'> {
  readonly replicas?: readonly ReplicaAddress[];
}

/** Where the state store is, and how it is deployed. */
export type StateAddress = Pick<RedisConfig, 'url'> & Partial<RedisConfig>;

/** The topics that commands write. */
const WRITTEN = [
  TOPICS.clients, TOPICS.tokens, TOPICS.parties, TOPICS.providerCommands,
  TOPICS.providerCommandResults, TOPICS.authorizationCalls,
  TOPICS.personalKeys, TOPICS.overflow, TOPICS.notificationCodes, TOPICS.zones,
  TOPICS.authorizations, TOPICS.notifications, TOPICS.audit, TOPICS.erasedTracks,
  TOPICS.erasedDrivers, TOPICS.webhooks,
];
const CLOSE_MS_MAX = 5_000;
/** Longest wait for the state store, in milliseconds. */
const STATE_MS_MAX = 3_000;
const CLIENT_ID_LEAST = 1e14;

/** The operator's ports, what audits a command before it acts, and the end of it. */
export interface OpenedOperator {
  readonly ports: OperatorPorts;
  readonly writeAudit: WriteAudit;
  readonly close: () => Promise<void>;
}

/** Opens the operator's ports; `close` sends what waits and ends the connections. */
export async function openOperator(
  config: OperatorConfig, signals: Signals,
): Promise<OpenedOperator> {
  await reachLog(config);
  const clock = systemClock;
  const kafka = openOperatorLog(config, signals, WRITTEN);
  const ids = createIds(clock);
  const secrets = keyedSecrets(config.secretPepper);
  const tables = openReplicas(config.tables, signals);
  return {
    ports: {
      log: kafka.recordLog,
      reader: kafka.reader,
      rangeReader: kafka.rangeReader,
      watch: createLogWatch(kafka.admin),
      extents: (topics) => kafka.follower.extents(topics),
      digest: sha256,
      inspectState: config.redis === undefined
        ? undefined : openInspection(config.redis, signals),
      clock,
      pause: systemPause,
      processes: { isAlive, askToEnd },
      ids,
      secrets,
      schemas: loadSchemas(),
      readFile: readTextFile,
      vault: config.vaultKey === undefined ? undefined : createVault(config.vaultKey),
      partySecret: config.partySecret,
      archiveEraser: config.archiveEraser,
      replicas: config.tables?.replicas?.map(({ name }) => name),
      ...(tables.length === 0 ? {} : {
        trackEraser: trackEraserOfEach(tables.map(createTrackEraser)),
        driverEraser: driverEraserOfEach(tables.map(createDriverEraser)),
        oddFixes: openOddFixes(config.tables, tables),
      }),
      ...personalOf(config, kafka),
      newClientId,
    },
    writeAudit: createWriteAudit({ log: kafka.recordLog, clock, ids, secrets }),
    close: async () => {
      await Promise.all(tables.map((each) => each.close()));
      await kafka.close(clock.nowMs() + CLOSE_MS_MAX);
    },
  };
}

/** Every replica of the tables, the first one first; none where nothing is said about them. */
function openReplicas(
  tables: TablesAddress | undefined, signals: Signals,
): readonly ClickHouse[] {
  if (tables === undefined) return [];
  const { replicas = [], ...first } = tables;
  return [first.url, ...replicas.map(({ url }) => url)].map((url) => (
    openClickHouse({ ...CLICKHOUSE_LIMITS, ...first, url }, { signals })
  ));
}

/** Asks the first replica, once it is known that something listens there. */
function openOddFixes(
  address: TablesAddress | undefined, [first]: readonly ClickHouse[],
): OddFixes | undefined {
  if (address === undefined || first === undefined) return undefined;
  const found = createOddFixes(first);
  return {
    async newest(...asked) {
      await orUnavailable('sink_unavailable', reachTables(address));
      return found.newest(...asked);
    },
  };
}

/** Opens the state store for one command, when it is needed. */
function openInspection(address: StateAddress, signals: Signals): InspectState {
  const config = { ...REDIS_DEFAULTS, ...address, evictionCheck: false, bootMsMax: STATE_MS_MAX };
  return async (inspect) => {
    if (config.sentinels.length === 0) {
      await orUnavailable('state_unavailable', reachState(config));
    }
    const redis = await openRedis(config, { signals, clock: systemClock });
    const states = createStates(config, redis);
    try {
      return await inspect(states);
    } finally {
      await states.close();
    }
  };
}

async function orUnavailable(
  code: 'state_unavailable' | 'sink_unavailable', reached: Promise<void>,
): Promise<void> {
  try {
    await reached;
  } catch (error) {
    throw new Unavailable(code, 'boot', (error as Error).message, error);
  }
}

/** Keys of personal data come from the log, and pictures from their folder. */
function personalOf(
  { personalKey, imageDir, imageKey }: OperatorConfig,
  { reader, recordLog }: Pick<KafkaLog, 'reader' | 'recordLog'>,
): Pick<OperatorPorts, 'personal' | 'keyRing' | 'images'> {
  return {
    ...(personalKey === undefined ? {} : {
      keyRing: createKeyRing(personalKey),
      personal: createPersonalSeals(personalKey, {
        states: keysFromLog(reader), log: recordLog, clock: systemClock,
      }),
    }),
    ...(imageDir === undefined || imageKey === undefined ? {} : {
      images: openImages({ folder: imageDir, key: imageKey }, { signals: silentSignals }),
    }),
  };
}

/** Fifteen digits, the first not 0; drawn in two halves because one draw is limited to 2^48. */
function newClientId(): string {
  const high = randomInt(CLIENT_ID_LEAST / 1e8, 1e7);
  const low = randomInt(0, 1e8);
  return `${high}${String(low).padStart(8, '0')}`;
}
