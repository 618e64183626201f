import type { ArchiveEraser } from '../kernel/archive.ts';
import type { ClientRecorded } from '../kernel/access.ts';
import type { Clock, Pause } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { DriverEraser } from '../kernel/driver-eraser.ts';
import type { DeviceStates } from '../kernel/devices.ts';
import type { ProofImages } from '../kernel/images.ts';
import type { Digest } from '../kernel/digest.ts';
import type { LogFollower } from '../kernel/log-follower.ts';
import type { GroupWatch, LogRangeReader, LogWatch } from '../kernel/log-watch.ts';
import type { OddFixes } from '../kernel/odd-fixes.ts';
import type { PersonalSeals, Subject, WrappedKey } from '../kernel/personal.ts';
import type { LastFixes } from '../kernel/fixes.ts';
import type { LogReader, RecordLog } from '../kernel/record-log.ts';
import type { RefusalStore } from '../kernel/refusals.ts';
import type { Schemas } from '../kernel/schemas.ts';
import type { ShipmentStates } from '../kernel/shipments.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { TrackEraser } from '../kernel/track-eraser.ts';
import type { Vault } from '../kernel/vault.ts';
import type { PrintedLine } from './print/lines.ts';

/** Wraps data keys again; see adapters/secrets. */
export interface PersonalKeyRing {
  readonly current: string;
  rewrap(subject: Subject, key: WrappedKey): WrappedKey;
}

/** Processes of this machine, by their id. */
export interface Processes {
  /** True while there is a process of this id. */
  isAlive(pid: number): boolean;
  /** Asks it to end (SIGTERM); throws when this user may not. */
  askToEnd(pid: number): void;
}

/** What the commands read of the state store; they change nothing there. */
export interface InspectedStates {
  readonly devices: Pick<DeviceStates, 'load'>;
  readonly lastFixes: Pick<LastFixes, 'find'>;
  readonly shipments: Pick<ShipmentStates, 'find'>;
  readonly refusals: Pick<RefusalStore, 'find'>;
}

/** Opens the state store for one inspection, and closes it. Rejects with the store's Faults. */
export type InspectState = <Seen>(
  inspect: (states: InspectedStates) => Promise<Seen>,
) => Promise<Seen>;

/** What the commands need from outside. */
export interface OperatorPorts {
  readonly log: RecordLog;
  readonly reader: LogReader;
  readonly watch: LogWatch & GroupWatch;
  readonly extents: LogFollower['extents'];
  readonly pause: Pause;
  /** Shows what a command is at that takes minutes; an empty line takes that away. */
  readonly report?: ((line: string) => void) | undefined;
  readonly processes: Processes;
  readonly rangeReader: LogRangeReader;
  readonly digest: Digest;
  /** Opens the state store to look at it; absent without REDIS_URL. */
  readonly inspectState?: InspectState | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly schemas: Schemas;
  /** The text of a file of this machine; undefined when there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Absent without its key; only parties need it. */
  readonly vault?: Vault | undefined;
  /** Absent without RASTRO_PERSONAL_KEY. */
  readonly personal?: PersonalSeals | undefined;
  readonly keyRing?: PersonalKeyRing | undefined;
  /** Absent without folder and key of pictures. */
  readonly images?: Pick<ProofImages, 'erase'> | undefined;
  /** Absent without address and user of the tables. */
  readonly trackEraser?: TrackEraser | undefined;
  readonly driverEraser?: DriverEraser | undefined;
  readonly oddFixes?: OddFixes | undefined;
  /** Absent without the address of the archive. */
  readonly archiveEraser?: ArchiveEraser | undefined;
  /** Names of the further replicas of the tables, which writers of their own fill. */
  readonly replicas?: readonly string[] | undefined;
  /** The token or secret of a party that is being recorded. */
  readonly partySecret?: string | undefined;
  /** Fifteen random digits that do not begin with 0. */
  readonly newClientId: () => string;
}

/** What a command prints: a value for `--json`, lines for people, and the exit code. */
export interface Report {
  readonly value: unknown;
  readonly lines: readonly PrintedLine[];
  readonly exitCode: number;
  /** True when it goes to standard error: nothing was asked for that could be printed. */
  readonly isError?: boolean;
}

/** A client without the hashes of its secrets: what may be shown. */
export type ShownClient = Omit<ClientRecorded, 'secrets' | 'type'> & {
  readonly secrets: readonly { secret_id: string; created_at_ms: number; live: boolean }[];
};
