import {
  GAP_SECONDS, ODD_FIXES_MAX, POSTS_MAX, READING_NAMES, type DeviceTracks, type ReadingName,
  type Thinned, type TrackFix, type TrackOddFix, type TrackPost, type TrackQuestion,
} from '../../services/kernel/device-tracks.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import { naiveOddFixes } from './naive-odd-fixes.ts';

/** A fix as a device sends it. */
export interface SentTrackFix {
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly bearing?: number;
  readonly telemetry?: Readonly<Partial<Record<ReadingName | 'speed' | 'odometer', number>>> & {
    readonly ignition?: boolean;
  };
}

/** Fixes of a device in one call. */
export interface SentTrackPost {
  readonly device: string;
  readonly client: string;
  readonly receivedAtMs: number;
  readonly fixes: readonly SentTrackFix[];
}

/** {@link DeviceTracks} in memory, for the tests of who uses them. */
export interface FakeDeviceTracks extends DeviceTracks {
  send(...posts: readonly SentTrackPost[]): void;
  /** Every call rejects from now on, as without a store; or no more. */
  lose(isLost?: boolean): void;
  /** Outcomes of calls are not found in time from now on. */
  losePosts(): void;
  /** Every call waits from now on until what is returned is called. */
  hold(): () => void;
  /** How many calls are in it. */
  reading(): number;
}

interface Stored extends SentTrackFix {
  readonly receivedAtMs: number;
  readonly offset: number;
}

const WEEKS_1024_S = 619_315_200;
const DAY_S = 86_400;

/** No device sent anything yet. */
export function fakeDeviceTracks(): FakeDeviceTracks {
  const posts: SentTrackPost[] = [];
  let isLost = false;
  let hasPosts = true;
  let held: Promise<undefined> | undefined;
  let reading = 0;
  return {
    send(...more) { posts.push(...more); },
    lose(next = true) { isLost = next; },
    losePosts() { hasPosts = false; },
    hold() {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      held = promise;
      return () => resolve(undefined);
    },
    reading: () => reading,
    async find(question) {
      reading += 1;
      await held;
      reading -= 1;
      if (isLost) throw new Unavailable('sink_unavailable', 'receive', 'as the test asked');
      const all = storedOf(posts, question);
      const { sinceSeconds, untilSeconds, limit } = question;
      const isAsked = (seconds: number): boolean => (
        seconds >= sinceSeconds && seconds < untilSeconds
      );
      const kept = all.filter((fix) => !isRollover(fix) && isAsked(fix.timestamp))
        .toSorted(byTime);
      const odd = [
        ...namesOf(all.filter((fix) => !isRollover(fix))).filter((fix) => isAsked(fix.timestamp)),
        ...all.filter((fix) => isRollover(fix) && isAsked(fix.receivedAtMs / 1_000))
          .map((fix) => oddFixOf('gps_week_rollover', fix)),
      ].toSorted((one, other) => one.timestamp - other.timestamp);
      return {
        fixes: thinned(kept.map(fixOf), limit, ({ gap_seconds }) => gap_seconds !== undefined),
        readings: thinned(kept.flatMap(readingOf), limit, () => false),
        posts: hasPosts ? postsOf(posts, question) : undefined,
        oddFixes: odd.slice(-ODD_FIXES_MAX), oddTotal: odd.length,
      };
    },
  };
}

/** The first sending of each fact of the device, and of the client where one is asked for. */
function storedOf(
  posts: readonly SentTrackPost[], { deviceId, clientId }: TrackQuestion,
): readonly Stored[] {
  const facts = new Map<string, Stored>();
  posts.forEach(({ device, client, receivedAtMs, fixes }, offset) => {
    if (device !== deviceId || (clientId !== undefined && client !== clientId)) return;
    for (const fix of fixes) {
      const identity = identityOf(fix);
      if (!facts.has(identity)) facts.set(identity, { ...fix, receivedAtMs, offset });
    }
  });
  return [...facts.values()];
}

/** The outcomes of calls that are all in the tables. */
function postsOf(
  sent: readonly SentTrackPost[],
  { deviceId, clientId, sinceSeconds, untilSeconds, limit }: TrackQuestion,
): Thinned<TrackPost> {
  const known = new Set<string>();
  const all = sent.flatMap(({ device, client, receivedAtMs, fixes }, offset): TrackPost[] => {
    if (device !== deviceId) return [];
    const kept = fixes.filter(({ timestamp }) => {
      const age = receivedAtMs / 1_000 - timestamp;
      return age <= 400 * DAY_S && age >= -DAY_S;
    });
    const own = kept.filter((fix) => {
      const identity = identityOf(fix);
      return !known.has(identity) && known.add(identity);
    });
    const isAsked = receivedAtMs >= sinceSeconds * 1_000 && receivedAtMs < untilSeconds * 1_000
      && (clientId === undefined || client === clientId);
    return isAsked ? [{
      ingest_id: String(offset), kind: 'locations', provider: 'acme', received_at_ms: receivedAtMs,
      items: fixes.length, stored: own.length, duplicate: kept.length - own.length,
      outlier: fixes.length - kept.length, dead_lettered: 0, waiting: 0, code: '',
    }] : [];
  }).toSorted((one, other) => one.received_at_ms - other.received_at_ms);
  const every = Math.max(1, Math.ceil(all.length / limit));
  return {
    total: all.length, every,
    items: all.filter(({ items, stored }, index) => (
      (all.length - index - 1) % every === 0 || stored !== items)).slice(-POSTS_MAX),
  };
}

function identityOf({ timestamp, latitude, longitude, bearing, telemetry }: SentTrackFix): string {
  return JSON.stringify(
    [timestamp, latitude, longitude, bearing, Object.entries(telemetry ?? {}).toSorted()],
  );
}

function isRollover({ timestamp, receivedAtMs }: Stored): boolean {
  return Math.abs(receivedAtMs / 1_000 - timestamp - WEEKS_1024_S) <= DAY_S;
}

function byTime(one: Stored, other: Stored): number {
  return one.timestamp - other.timestamp || one.latitude - other.latitude
    || one.longitude - other.longitude || one.receivedAtMs - other.receivedAtMs;
}

function fixOf(fix: Stored, index: number, all: readonly Stored[]): TrackFix {
  const { timestamp, latitude, longitude, bearing, telemetry = {}, receivedAtMs } = fix;
  const silence = timestamp - (all[index - 1]?.timestamp ?? timestamp);
  const age = receivedAtMs / 1_000 - timestamp;
  return {
    timestamp, latitude, longitude, country_id: 'BR', provider: 'acme',
    received_at_ms: receivedAtMs,
    flags: [
      ...age < -300 ? ['future'] : [], ...latitude === 0 && longitude === 0 ? ['zero_position'] : [],
      ...age > DAY_S ? ['stale'] : [],
    ],
    speed: telemetry.speed, bearing, accuracy: undefined, ignition: telemetry.ignition,
    odometer: telemetry.odometer, gap_seconds: silence > GAP_SECONDS ? silence : undefined,
  };
}

function readingOf({ timestamp, telemetry = {} }: Stored) {
  const values = READING_NAMES.flatMap((name) => (
    telemetry[name] === undefined ? [] : [[name, telemetry[name]] as const]));
  return values.length === 0 ? [] : [{ at_ms: timestamp * 1_000, ...Object.fromEntries(values) }];
}

function namesOf(fixes: readonly Stored[]): readonly TrackOddFix[] {
  const sent = fixes.map(({ timestamp, latitude, longitude, telemetry, receivedAtMs, offset }) => ({
    ts: timestamp, latitude, longitude, speed: telemetry?.speed, odometer: telemetry?.odometer,
    receivedAt: receivedAtMs / 1_000, offset,
  }));
  return naiveOddFixes(sent).flatMap(({ kind, ts, latitude, longitude }) => {
    const fix = fixes.find((each) => (
      each.timestamp === ts && each.latitude === latitude && each.longitude === longitude));
    return fix === undefined ? [] : [oddFixOf(kind, fix)];
  });
}

function oddFixOf(kind: string, fix: Stored): TrackOddFix {
  const { timestamp, latitude, longitude, receivedAtMs } = fix;
  return {
    kind, timestamp, latitude, longitude, provider: 'acme', received_at_ms: receivedAtMs,
    off_seconds: timestamp - Math.floor(receivedAtMs / 1_000),
  };
}

function thinned<Item>(
  items: readonly Item[], limit: number, isBehindGap: (item: Item) => boolean,
): Thinned<Item> {
  const every = Math.max(1, Math.ceil(items.length / limit));
  return {
    total: items.length, every,
    items: items.filter((item, index) => {
      const next = items[index + 1];
      return (items.length - index - 1) % every === 0 || isBehindGap(item)
        || (next !== undefined && isBehindGap(next));
    }),
  };
}
