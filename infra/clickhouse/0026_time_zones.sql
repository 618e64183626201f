-- Time zones of places and days by the local clock. UTC stays what everything is kept and computed
-- by: a day of a device (UTC) has one time zone, and the local days are made of it (ADR 0070).

-- What of the tables below counts: the release that was applied last. The migrations fill all four
-- (time-zones.ts) from infra/clickhouse/time-zones.
CREATE TABLE IF NOT EXISTS time_zone_releases
(
    release    String,
    tzdata     String,
    applied_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(applied_at)
ORDER BY release;

-- The zones of all cells from `start` on, up to the next row. A cell is an H3 index of resolution 8
-- without the digits behind it (bitShiftRight 21), so that the cells of a coarser one are beside
-- each other. Several zones end with *: a border passes through. None: the high seas.
CREATE TABLE IF NOT EXISTS time_zone_runs
(
    release LowCardinality(String) CODEC(ZSTD(1)),
    start   UInt64                 CODEC(Delta, ZSTD(1)),
    zones   LowCardinality(String) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (release, start)
SETTINGS index_granularity = 1024;

-- Every change of a clock from 2000 to 2049.
CREATE TABLE IF NOT EXISTS time_zone_clocks
(
    release  LowCardinality(String),
    zone     LowCardinality(String),
    since    DateTime('UTC'),
    offset_s Int32
)
ENGINE = ReplacingMergeTree
ORDER BY (release, zone, since);

-- The zones of a country (alpha-2), and how far each is ahead of UTC without summer time.
CREATE TABLE IF NOT EXISTS time_zone_countries
(
    release   LowCardinality(String),
    country   String,
    zones     Array(String),
    offsets_s Array(Int32)
)
ENGINE = ReplacingMergeTree
ORDER BY (release, country);

-- When a day of a device was computed, first and last, and when its zone, its visits (0028) and its
-- battery (0032) were computed after it. So an insert of fixes marks one table of days, not two.
CREATE TABLE IF NOT EXISTS place_day_marks
(
    device_id           String                                             CODEC(ZSTD(1)),
    day                 Date                                               CODEC(ZSTD(1)),
    first_marked_at     SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC')))
        CODEC(ZSTD(1)),
    marked_at           SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    zone_computed_at    SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    visits_computed_at  SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    battery_computed_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (device_id, day)
TTL day + INTERVAL 402 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_to_place_day_marks TO place_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, day, min(computed_at) AS first_marked_at, max(computed_at) AS marked_at
   FROM device_days
   WHERE fixes > 0
   GROUP BY device_id, day;

-- The zone of a day of a device, the parts of the day that are in each local day, and its hours
-- (UTC). The place is that of the last fix. An hour with two local hours or two providers is there
-- for each of them.
CREATE TABLE IF NOT EXISTS device_day_zones
(
    device_id   String                 CODEC(ZSTD(1)),
    day         Date                   CODEC(ZSTD(1)),
    zone        LowCardinality(String) CODEC(ZSTD(1)),
    source      LowCardinality(String) CODEC(ZSTD(1)),
    provider    LowCardinality(String) CODEC(ZSTD(1)),
    country_id  LowCardinality(String) CODEC(ZSTD(1)),
    pieces      Array(Tuple(
        local_day Date, seconds UInt32, first_ts DateTime('UTC'), last_ts DateTime('UTC'),
        last_latitude Float64, last_longitude Float64, speed_max Nullable(Float32),
        odometer_min Nullable(Float64), odometer_max Nullable(Float64))) CODEC(ZSTD(1)),
    hours       Array(Tuple(
        hour DateTime('UTC'), offset_s Int32, provider LowCardinality(String), seconds UInt16,
        first_minute DateTime('UTC'), last_ts DateTime('UTC'), speed_max Nullable(Float32)))
        CODEC(ZSTD(1)),
    computed_at DateTime64(3, 'UTC')   CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(day)
ORDER BY (device_id, day)
TTL day + INTERVAL 400 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_day_zones_to_place_day_marks TO place_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, day, max(computed_at) AS zone_computed_at
   FROM device_day_zones
   GROUP BY device_id, day;

-- The days to compute next: 4,000 of those that wait, at random, so that each has its turn. One
-- that begins later than the computation of its device day (0015) began sees all that this one saw.
-- What came meanwhile has the device day computed once more.
CREATE VIEW IF NOT EXISTS device_day_zones_due
SQL SECURITY DEFINER
AS SELECT device_id, day
   FROM place_day_marks
   -- As in device_days_due: of 400 days few are kept in memory.
   WHERE (device_id, day) IN (
           SELECT device_id, day FROM place_day_marks WHERE marked_at > zone_computed_at)
   GROUP BY device_id, day
   HAVING max(marked_at) > max(zone_computed_at)
   ORDER BY cityHash64(device_id, day, now())
   LIMIT 4000;

-- Each minute has the zone of the cell of its last place. At a border it is the one in the country
-- that was sent; at sea the zone of that country whose clock is nearest to the longitude. The zone
-- of the day is that of most of its seconds, of equals the first by name. Minutes are put together
-- by cell before that, and by hour after it: memory holds cells and hours, not minutes.
CREATE VIEW IF NOT EXISTS device_day_zones_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, day)) FROM device_day_zones_due) AS due,
        (SELECT argMax(release, applied_at) FROM time_zone_releases) AS current,
        minutes AS (
            SELECT device_id, toDate(minute) AS day, minute, last_place, speed_max, odometer_min,
                   odometer_max, provider, country_id, bitCount(seconds) AS weight,
                   bitCount(bitXor(seconds, seconds - 1)) - 1 AS first_s
            FROM device_minutes FINAL
            WHERE frame_minutes = 0
              AND (toDate(minute), device_id) IN (
                    SELECT unit.2, unit.1 FROM (SELECT arrayJoin(due) AS unit))
              AND minute >= toDateTime(arrayMin(due.2), 'UTC')
              AND minute < toDateTime(arrayMax(due.2) + 1, 'UTC')
            SETTINGS do_not_merge_across_partitions_select_final = 0),
        cells AS (
            SELECT m.device_id AS device_id, m.day AS day, sum(m.weight) AS weight,
                   -- Of the minute with most seconds, of these the first.
                   min((-toInt64(m.weight), m.minute)) AS rank,
                   argMin(m.last_place.3, m.minute) / 1e7 AS longitude,
                   bitShiftRight(m.last_place.4, 21) AS cell,
                   current AS release,
                   if(joinGet({database}.country_codes, 'code', upper(m.country_id)) = '',
                      upper(m.country_id),
                      joinGet({database}.country_codes, 'code', upper(m.country_id))) AS country
            FROM minutes AS m
            GROUP BY device_id, day, cell, country),
        zones AS (
            SELECT device_id, day,
                   argMin((zone, source), (-toInt64(zone_weight), zone)) AS best
            FROM (
                SELECT device_id, day, zone, sum(weight) AS zone_weight,
                       argMin(zone_source, rank) AS source
                FROM (
                    SELECT m.device_id AS device_id, m.day AS day, m.weight AS weight,
                           m.rank AS rank,
                           splitByChar(',', trimRight(toString(r.zones), '*')) AS names,
                           arrayFilter(name -> has(c.zones, name), names) AS at_home,
                           toInt32(round(m.longitude / 15)) AS hours,
                           arraySort((name, offset) -> (abs(offset / 240 - m.longitude), name),
                                     c.zones, c.offsets_s) AS nearest,
                           multiIf(r.zones != '' AND endsWith(r.zones, '*'),
                                   if(empty(at_home), names[1], at_home[1]),
                                   r.zones != '', names[1], notEmpty(nearest), nearest[1],
                                   'Etc/GMT' || if(hours = 0, '', if(hours < 0, '+', '-')
                                       || toString(abs(hours)))) AS zone,
                           multiIf(r.zones != '' AND endsWith(r.zones, '*'), 'border',
                                   r.zones != '', 'place', notEmpty(nearest), 'country',
                                   'longitude') AS zone_source
                    FROM cells AS m
                    ASOF LEFT JOIN (SELECT release, start, zones FROM time_zone_runs
                                    WHERE notEmpty(due)) AS r
                    ON m.release = r.release AND m.cell >= r.start
                    LEFT JOIN time_zone_countries AS c
                    ON c.release = m.release AND c.country = m.country)
                GROUP BY device_id, day, zone)
            GROUP BY device_id, day)
   SELECT device_id, day, any(day_zone) AS zone, any(day_source) AS source,
          max(provider_of) AS provider, max(country_of) AS country_id,
          arraySort(groupArray(piece)) AS pieces,
          arraySort(groupArrayArray(piece_hours)) AS hours
   FROM (
     SELECT device_id, day, day_zone, day_source, max(h.provider) AS provider_of,
            max(h.country) AS country_of,
            (local_day, toUInt32(sum(h.weight)), min(h.first), max(h.last).1,
             max(h.last).2 / 1e7, max(h.last).3 / 1e7, max(h.speed), min(h.odometer_least),
             max(h.odometer_most)) AS piece,
            groupArray((hour, offset_s, h.provider, toUInt16(h.weight), first_minute, h.last.1,
                        h.speed)) AS piece_hours
     FROM (
       SELECT device_id, day, day_zone, day_source, k.offset_s AS offset_s,
              toStartOfHour(m.minute) AS hour, toStartOfHour(m.minute + offset_s) AS local_hour,
              toDate(local_hour) AS local_day, m.provider AS provider,
              max(m.country_id) AS country, sum(m.weight) AS weight,
              min(m.minute) AS first_minute, min(m.minute + m.first_s) AS first,
              max(m.last_place) AS last, max(m.speed_max) AS speed,
              min(m.odometer_min) AS odometer_least, max(m.odometer_max) AS odometer_most
       FROM (SELECT m.*, z.best.1 AS day_zone, z.best.2 AS day_source
             FROM minutes AS m
             INNER JOIN zones AS z ON z.device_id = m.device_id AND z.day = m.day) AS m
       ASOF LEFT JOIN (SELECT zone, since, offset_s FROM time_zone_clocks
                       WHERE release = current) AS k
       ON k.zone = m.day_zone AND m.minute >= k.since
       GROUP BY device_id, day, day_zone, day_source, offset_s, hour, local_hour, provider) AS h
     GROUP BY device_id, day, day_zone, day_source, local_day)
   GROUP BY device_id, day;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_day_zones_refresh
REFRESH EVERY 1 MINUTE APPEND TO device_day_zones EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, day, zone, source, provider, country_id, pieces, hours,
          now64(3, 'UTC') AS computed_at
   FROM device_day_zones_now;
