import type { ZoneClock } from '../../services/adapters/clickhouse/time-zones-file.ts';

const FIRST_YEAR = 2000;
const LAST_YEAR = 2049;
const DAY_S = 86_400;
/** Two changes of a clock are never nearer to each other. */
const STEP_S = 7 * DAY_S;
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2}))?(?::(\d{2}))?/;

/** Every change of the clocks of these zones from 2000 to 2049, as this Node.js knows them. */
export function clocksOf(zones: readonly string[]): readonly ZoneClock[] {
  return zones.map((zone) => ({ zone, changes: changesOf(zone) }));
}

function changesOf(zone: string): readonly (readonly [since_s: number, offset_s: number])[] {
  const offsetAt = offsetsOf(zone);
  const [first, end] = [startOf(FIRST_YEAR), startOf(LAST_YEAR + 1)];
  const changes: [number, number][] = [[first, offsetAt(first)]];
  for (let at = first; at < end; at += STEP_S) {
    const after = offsetAt(at + STEP_S);
    if (after === changes.at(-1)?.[1]) continue;
    let [low, high] = [at, at + STEP_S];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === after) high = middle;
      else low = middle;
    }
    changes.push([high, after]);
  }
  return changes;
}

const startOf = (year: number): number => Date.UTC(year, 0, 1) / 1_000;

/** Seconds that the clock of a zone is ahead of UTC, by epoch seconds. */
export function offsetsOf(zone: string): (seconds: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (seconds) => {
    const name = format.formatToParts(seconds * 1_000).find(({ type }) => type === 'timeZoneName');
    const [, sign = '+', hours = '0', minutes = '0', rest = '0'] = OFFSET.exec(name?.value ?? '') ?? [];
    const total = Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest);
    return sign === '-' ? -total : total;
  };
}

/** The zones of each country, alpha-2, as the CLDR of this Node.js has them. */
export function countriesOf(
  zones: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  // Both name zones, but not always by the same of several names.
  const nameOf = new Map(zones.map((zone) => [canonical(zone), zone]));
  const az = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  return Object.fromEntries(az.flatMap((a) => az.map((b) => `${a}${b}`))
    .map((code): [string, readonly string[]] => [code, zonesOf(code)
      .map((zone) => nameOf.get(canonical(zone)))
      .filter((zone) => zone !== undefined)])
    .filter(([, found]) => found.length > 0));
}

function zonesOf(code: string): readonly string[] {
  // TypeScript does not know this method of ES2026 yet.
  const locale: Intl.Locale & { getTimeZones?: () => readonly string[] | undefined } =
    new Intl.Locale(`und-${code}`);
  return locale.getTimeZones?.() ?? [];
}

function canonical(zone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
}
