/** A fleet that fills the tables: so many devices on so many days until today. */
export interface Fleet {
  readonly devices: number;
  readonly days: number;
  /** The first day, as days since 1970. */
  readonly firstDay: number;
}

/** Days of every fleet. */
export const DAYS = 30;
const FIXES_PER_POST = 20;
const FIX_SECONDS = 30;
const POSTS_PER_DAY = 84;
/** Fixes of a device on a day: one each 30 s for 14 hours. */
export const FIXES_PER_DAY = FIXES_PER_POST * POSTS_PER_DAY;
/** Devices of one insert, so that it has some 800,000 fixes. */
export const DEVICES_PER_INSERT = 500;

/** The fleet that has about so many fixes; its last day is yesterday. */
export function fleetOf(rows: number, nowMs: number): Fleet {
  const today = Math.floor(nowMs / 86_400_000);
  const devices = Math.max(Math.round(rows / (DAYS * FIXES_PER_DAY)), 10);
  return { devices, days: DAYS, firstDay: today - DAYS };
}

/** The name of a device, as everywhere a UUID. */
export function deviceOf(index: number): string {
  return `00000000-0000-5000-8000-${index.toString(16).padStart(12, '0')}`;
}

/**
 * Posts of the devices `from` to `to` that begin on a day, with what the tables need. Half of all
 * devices are of provider p0, the others of nine more. A shift begins at another hour for each
 * device, so that some trips cross midnight. Every hour a device drives for 40 minutes to another
 * place within 15 km of its own, and stands for 20 with up to 10 m of noise. One post of a hundred
 * comes a day late, and one of two hundred twice.
 */
function postsOf({ devices, firstDay }: Fleet, day: number, from: number, to: number): string {
  const offset = `(toUInt64(${day - firstDay}) * ${devices} + d) * ${POSTS_PER_DAY} + post`;
  return `
    SELECT d, post, repeat, concat('00000000-0000-5000-8000-', lower(leftPad(hex(d), 12, '0'))) AS device,
           if(d % 2 = 0, 'p0', concat('p', toString(1 + d % 9))) AS provider,
           ['BR', 'AR', 'MX', 'CO', 'CL', 'UY'][1 + d % 6] AS country,
           [-23.5, -34.6, 19.4, 4.7, -33.4, -34.9][1 + d % 6] + h(1, d, 0) * 0.3 AS home_lat,
           [-46.6, -58.4, -99.1, -74.1, -70.6, -56.2][1 + d % 6] + h(2, d, 0) * 0.3 AS home_lon,
           toUInt32(${day} * 86400 + (cityHash64('shift', d) % 24) * 3600 + post * ${FIXES_PER_POST * FIX_SECONDS}) AS first_s,
           first_s + ${(FIXES_PER_POST - 1) * FIX_SECONDS} AS last_s,
           toInt64(last_s) * 1000 + 2000 + repeat * 30000
               + if(cityHash64('late', d, first_s) % 100 = 0, 93600000, 0) AS received_ms,
           toUInt16(cityHash64(device) % 12) AS k_partition,
           ${offset} + repeat * toUInt64(1000000000000) AS k_offset,
           arrayMap(i -> first_s + i * ${FIX_SECONDS}, range(${FIXES_PER_POST})) AS times,
           arrayMap(t -> least((t % 3600) / 2400, 1), times) AS parts,
           arrayMap((t, part) -> round(home_lat + h(3, d, intDiv(t, 3600)) * (1 - part)
               + h(3, d, intDiv(t, 3600) + 1) * part + h(5, d, t) * 0.0006, 7), times, parts) AS lats,
           arrayMap((t, part) -> round(home_lon + h(4, d, intDiv(t, 3600)) * (1 - part)
               + h(4, d, intDiv(t, 3600) + 1) * part + h(6, d, t) * 0.0006, 7), times, parts) AS lons
    FROM (SELECT ${from} + intDiv(number, ${POSTS_PER_DAY}) AS d, number % ${POSTS_PER_DAY} AS post
          FROM numbers(${(to - from) * POSTS_PER_DAY}))
    ARRAY JOIN if(cityHash64('twice', d, post, ${day}) % 200 = 0, [0, 1], [0]) AS repeat`;
}

/** From -0.15 to 0.15, another number for each kind, device and time: some 15 km. */
const HASH = '(kind, d, at) -> (cityHash64(kind, d, at) % 30001) / 100000 - 0.15';

/** The statements that fill the tables with one day of some devices. */
export function insertsOf(fleet: Fleet, day: number, from: number, to: number): readonly string[] {
  const posts = `WITH ${HASH} AS h SELECT * FROM (${postsOf(fleet, day, from, to)})`;
  return [
    `INSERT INTO in_locations (m, post_timestamp, locations)
     SELECT (device, '1', provider, country, toInt64(1000 + d % 200), received_ms, k_partition,
             k_offset),
            toFloat64(last_s),
            arrayMap((t, part, lat, lon) -> (toFloat64(t), country, lat, lon, NULL,
                toFloat64(5 + cityHash64('accuracy', d, t) % 20), NULL, NULL, [],
                (toFloat64(t), part < 1, 10000 + d + (t - ${fleet.firstDay * 86_400}) / 150.,
                 if(part < 1, toFloat64(20 + cityHash64('speed', d, t) % 100), 0.),
                 NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL,
                 if(d % 3 = 0, toFloat64(100 - (t % 86400) / 1000), NULL), NULL, NULL, NULL, NULL,
                 [])), times, parts, lats, lons)
     FROM (${posts})`,
    `INSERT INTO in_ingest_records
     SELECT toString(generateUUIDv7(k_offset)), 'rtt.locations.v1', 'scale', k_partition, k_offset,
            'locations', device, '1', provider, ${FIXES_PER_POST}, received_ms, received_ms + 5, ''
     FROM (${posts})`,
  ];
}
