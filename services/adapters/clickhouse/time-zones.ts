import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClickHouse } from './clickhouse.ts';
import { readTimeZones, TIME_ZONES_FILE, type ZoneClock } from './time-zones-file.ts';

const HASH_DIGITS = 16;

/**
 * Writes the time zones of all places and their clocks, unless this release of them is what counts
 * already. It counts only when all of it is written. Two at once write the same rows.
 */
export async function writeTimeZones(store: ClickHouse): Promise<void> {
  const release = createHash('sha256').update(readFileSync(TIME_ZONES_FILE)).digest('hex')
    .slice(0, HASH_DIGITS);
  const [known] = await store.query(
    'SELECT argMax(release, applied_at) AS release FROM time_zone_releases',
  );
  if (known?.['release'] === release) return;
  const { release: tzdata, groups, starts, lists, clocks, countries } = readTimeZones();
  const of = `'${release}'`;
  await store.execute(`INSERT INTO time_zone_runs SELECT ${of}, start, zones[list + 1]
    FROM (SELECT start, list, ${arrayOf(groups)} AS zones
          FROM input('start UInt64, list UInt16')) FORMAT TSV
${starts.map((start, index) => `${start}\t${lists[index] ?? 0}`).join('\n')}\n`);
  const changes = clocks.flatMap(({ zone, changes: all }) => (
    all.map(([since, offset]) => `${zone}\t${since}\t${offset}`)
  ));
  await store.execute(`INSERT INTO time_zone_clocks SELECT ${of}, zone, since, offset
    FROM input('zone String, since DateTime(''UTC''), offset Int32') FORMAT TSV
${changes.join('\n')}\n`);
  const standard = new Map(clocks.map((clock) => [clock.zone, standardOf(clock)]));
  const rows = Object.entries(countries).map(([country, zones]) => (
    `${country}\t${listOf(zones.map((zone) => `'${zone}'`))}\t`
      + listOf(zones.map((zone) => String(standard.get(zone) ?? 0)))
  ));
  await store.execute(`INSERT INTO time_zone_countries SELECT ${of}, country, zones, offsets
    FROM input('country String, zones Array(String), offsets Array(Int32)') FORMAT TSV
${rows.join('\n')}\n`);
  await store.execute(`INSERT INTO time_zone_releases VALUES (${of}, '${tzdata}', now64(3, 'UTC'))`);
}

/** Seconds of a clock ahead of UTC without summer time, as its last changes say. */
function standardOf({ changes }: ZoneClock): number {
  return Math.min(...changes.slice(-2).map(([, offset]) => offset));
}

const listOf = (items: readonly string[]): string => `[${items.join(',')}]`;
const arrayOf = (texts: readonly string[]): string => listOf(texts.map((text) => `'${text}'`));
