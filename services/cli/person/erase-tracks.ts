import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { ERASED_TRACKS_POLL_MS, type TrackErased } from '../../kernel/erased-tracks.ts';
import type { GroupOffset } from '../../kernel/log-watch.ts';
import type { OperatorPorts } from '../ports.ts';
import type { DeviceLife } from './records.ts';
import { readErasedTracks } from '../../kernel/read-erasures.ts';

/** What erasing positions takes. */
export type EraseTracksPorts = Pick<
  OperatorPorts,
  'log' | 'reader' | 'clock' | 'watch' | 'pause' | 'report' | 'trackEraser' | 'archiveEraser'
  | 'replicas'
>;

/** How the erasure of positions ended. */
export interface TracksEnd {
  readonly rowsDeleted: number;
  /** Why tables may still hold some, and what to do. */
  readonly left: readonly string[];
}

/** What is left where the command does not reach the tables. */
export const LEFT_WITHOUT_TABLES: readonly string[] = [
  'Rows are left in the tables: set CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, and '
  + 'erase again.',
];

/** What may be left where the table writers are late. */
export const LEFT_BEHIND: readonly string[] = [
  'The table writer is behind: rows that it wrote meanwhile may be left in the tables. Erase again '
  + 'when rastro lag is low.',
];

const APPEND_MS_MAX = 15_000;
/** After this every table writer knows of an erasure: twice the time in which it asks. */
const KNOWN_MS = 2 * ERASED_TRACKS_POLL_MS;
const WRITTEN_MS_MAX = 120_000;
const POLL_MS = 500;

/** Groups that write positions, in the order in which these pass through them. */
const WRITERS: readonly (readonly [group: string, topics: readonly string[]])[] = [
  ['rastro.table-writer', [
    TOPICS.locations.name, TOPICS.telemetryEvents.name, TOPICS.deferredEvents.name,
    TOPICS.deliveryLocations.name, TOPICS.deadLetters.name,
  ]],
  ['rastro.table-writer.overflow', [TOPICS.overflowLocations.name]],
];

/**
 * Erases what devices sent until now. First the log says so, so that nothing brings it back: no
 * projector, no table writer, no rebuild. Then, when all that was written without that knowledge is
 * in the tables, it is deleted there.
 */
export async function eraseTracks(
  ports: EraseTracksPorts, lives: readonly DeviceLife[],
): Promise<TracksEnd> {
  const received_until_ms = ports.clock.nowMs();
  const tracks = lives.map((life): TrackErased => (
    { type: 'TrackErased', ...life, received_until_ms }
  ));
  for (const track of tracks) await record(ports, track);
  if (tracks.length === 0) return { rowsDeleted: 0, left: [] };
  return deleteRows(ports, tracks);
}

/** Deletes again all that was ever erased: for tables that came back from a backup. */
export async function eraseTracksAgain(
  ports: EraseTracksPorts,
): Promise<TracksEnd & { readonly devices: number }> {
  const tracks = [...(await readErasedTracks(ports.reader, TOPICS.erasedTracks.name)).values()];
  return { ...await deleteRows(ports, tracks), devices: tracks.length };
}

async function deleteRows(
  ports: EraseTracksPorts, tracks: readonly TrackErased[],
): Promise<TracksEnd> {
  const { trackEraser, archiveEraser } = ports;
  if (trackEraser === undefined) return { rowsDeleted: 0, left: LEFT_WITHOUT_TABLES };
  const isWritten = await untilKnownAndWritten(ports);
  let rowsDeleted = 0;
  for (const { device_id, transport_ids = [], received_until_ms } of tracks) {
    rowsDeleted += await trackEraser.erase(device_id, transport_ids, received_until_ms);
    // After the tables, so that no run of the archive takes the rows from there again.
    rowsDeleted += await archiveEraser?.eraseDevice(device_id, received_until_ms) ?? 0;
  }
  return { rowsDeleted, left: isWritten ? [] : LEFT_BEHIND };
}

/**
 * Waits until every table writer knows what the log says is erased, and has committed all that it
 * wrote before; false when it does not.
 */
export async function untilKnownAndWritten(ports: EraseTracksPorts): Promise<boolean> {
  ports.report?.('Waiting until the tables have all that came before …');
  try {
    await ports.pause(KNOWN_MS);
    return await untilWritten(ports);
  } finally {
    ports.report?.('');
  }
}

/** Waits until the writers have committed all that is in the log now; false when they do not. */
async function untilWritten(
  { watch, clock, pause, replicas = [] }: EraseTracksPorts,
): Promise<boolean> {
  const deadlineMs = clock.nowMs() + WRITTEN_MS_MAX;
  const ofReplicas = replicas.flatMap((name) => (
    WRITERS.map(([group, topics]) => [`${group}@${name}`, topics] as const)
  ));
  for (const [group, topics] of [...WRITERS, ...ofReplicas]) {
    const seen = await watch.offsets(group, topics);
    const ends = new Map(seen.map((each) => [nameOf(each), each.end]));
    const isBehind = async (): Promise<boolean> => (await watch.offsets(group, topics))
      .some((each) => each.next < (ends.get(nameOf(each)) ?? 0n));
    while (await isBehind()) {
      if (clock.nowMs() >= deadlineMs) return false;
      await pause(POLL_MS);
    }
  }
  return true;
}

function nameOf({ topic, partition }: GroupOffset): string {
  return `${topic}:${partition}`;
}

async function record({ log, clock }: EraseTracksPorts, fact: TrackErased): Promise<void> {
  await log.append({
    topic: TOPICS.erasedTracks.name, key: fact.device_id,
    value: Buffer.from(JSON.stringify(fact)),
    headers: { 'received-at': String(fact.received_until_ms) },
  }, clock.nowMs() + APPEND_MS_MAX);
}
