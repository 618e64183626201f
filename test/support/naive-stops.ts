import type { NaiveFix } from './naive-fix.ts';

const HALF_MINUTE_S = 30;
const STAY_HALVES = 10;
const STAY_S_MIN = 240;
const STOP_S = 300;
const RADIUS_M = 6_371_008.8;

/** A stop as v_stops shows it; degrees. */
export interface NaiveStop {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly silent_s: number;
  readonly continues: boolean;
}

interface Rest {
  readonly since: number;
  readonly from: number;
  until: number;
  silent_s: number;
  readonly places: NaiveFix[];
}

/** The speed that telemetry may have. */
export function validSpeed({ speed }: NaiveFix): number | undefined {
  return speed !== undefined && speed >= 0 && speed <= 350 ? speed : undefined;
}

/** Spans of time, from and before, in which fixes in the order of their time stay at one place. */
export function staysOf(fixes: readonly NaiveFix[]): readonly (readonly [number, number])[] {
  const halves = Map.groupBy(fixes, ({ ts }) => Math.floor(ts / HALF_MINUTE_S));
  return [...halves.keys()].flatMap((half) => {
    const near = Array.from({ length: STAY_HALVES + 1 }, (_, n) => halves.get(half + n) ?? [])
      .filter((all) => all.length > 0);
    return isStay(near)
      ? [[half * HALF_MINUTE_S, (half + STAY_HALVES + 1) * HALF_MINUTE_S] as const] : [];
  });
}

function isStay(near: readonly (readonly NaiveFix[])[]): boolean {
  const all = near.flat();
  const speeds = all.map(validSpeed).filter((speed) => speed !== undefined);
  if ((all.at(-1)?.ts ?? 0) - (all[0]?.ts ?? 0) < STAY_S_MIN) return false;
  if (speeds.length > 0 && mean(speeds) >= 5) return false;
  const latitudes = near.map((fixes) => mean(fixes.map(({ latitude }) => latitude)));
  const longitudes = near.map((fixes) => mean(fixes.map(({ longitude }) => longitude)));
  const degree = Math.PI / 180;
  const south = Math.min(...latitudes);
  const high = (Math.max(...latitudes) - south) * degree * RADIUS_M;
  const wide = (Math.max(...longitudes) - Math.min(...longitudes)) * degree * RADIUS_M
    * Math.cos(degree * south);
  const stands = speeds.length > 0 && Math.max(...speeds) < 5;
  return Math.hypot(high, wide) <= (stands ? 200 : 60);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Puts steps at rest together to the stops of a day that begins at `midnight`. */
export function createRests(midnight: number): {
  breakAt(ts: number): void;
  rest(from: number, fix: NaiveFix, step: { isSilent: boolean; isJump: boolean }): void;
  stops(): NaiveStop[];
} {
  const rests: Rest[] = [];
  let since = 0;
  return {
    breakAt(ts) {
      since = ts;
    },
    rest(from, fix, { isSilent, isJump }) {
      if (fix.ts < midnight) return;
      let last = rests.at(-1);
      if (last?.since !== since) {
        last = { since, from, until: fix.ts, silent_s: 0, places: [] };
        rests.push(last);
      }
      last.until = fix.ts;
      if (isSilent) last.silent_s += fix.ts - from;
      if (!isJump) last.places.push(fix);
    },
    stops: () => rests.filter((rest) => rest.until - rest.since >= STOP_S).map((rest) => {
      const continues = rest.from - rest.since >= STOP_S;
      return {
        start_ts: continues ? rest.from : rest.since, end_ts: rest.until,
        latitude: rest.places.length === 0 ? 0 : mean(rest.places.map((fix) => fix.latitude)),
        longitude: rest.places.length === 0 ? 0 : mean(rest.places.map((fix) => fix.longitude)),
        silent_s: rest.silent_s, continues,
      };
    }),
  };
}
