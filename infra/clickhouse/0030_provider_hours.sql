-- Each provider by hour of its devices' clocks: what is left when fixes are gone, and what a month
-- of all devices is read from (ADR 0073). A day is summed up whole from the hours of its devices
-- (0026), and again after any of them is computed again: so late fixes and repeats count once.

-- When hours of devices were computed for a day, first and last, and when the day was summed up.
CREATE TABLE IF NOT EXISTS provider_hour_marks
(
    day             Date                                                         CODEC(ZSTD(1)),
    first_marked_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))) CODEC(ZSTD(1)),
    marked_at       SimpleAggregateFunction(max, DateTime64(3, 'UTC'))           CODEC(ZSTD(1)),
    computed_at     SimpleAggregateFunction(max, DateTime64(3, 'UTC'))           CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY day
TTL day + INTERVAL 402 DAY DELETE
SETTINGS merge_with_ttl_timeout = 604800;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_day_zones_to_provider_hour_marks
TO provider_hour_marks
SQL SECURITY DEFINER
AS SELECT day, min(computed_at) AS first_marked_at, max(computed_at) AS marked_at
   FROM device_day_zones
   GROUP BY day;

-- Only the rows of the newest computation of a day count; a row without a provider says that it was
-- computed. `device_state` is the set of the devices, of which sets can be made together; it holds
-- hashes of 4 bytes, 65,536 of them at most. Kept for five years: counts without persons or places.
CREATE TABLE IF NOT EXISTS provider_hours
(
    day           Date                            CODEC(Delta, ZSTD(1)),
    hour          DateTime('UTC')                 CODEC(Delta, ZSTD(1)),
    provider      LowCardinality(String)          CODEC(ZSTD(1)),
    devices       UInt64                          CODEC(T64, ZSTD(1)),
    seconds       UInt64                          CODEC(T64, ZSTD(1)),
    speed_max     Nullable(Float32)               CODEC(ZSTD(1)),
    device_state  AggregateFunction(uniq, String) CODEC(ZSTD(1)),
    computed_at   DateTime64(3, 'UTC')            CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(day)
ORDER BY (day, hour, provider)
TTL day + INTERVAL 1830 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS provider_hours_to_provider_hour_marks
TO provider_hour_marks
SQL SECURITY DEFINER
AS SELECT day, max(p.computed_at) AS computed_at
   FROM provider_hours AS p
   GROUP BY day;

-- The days to sum up next, ten at most; those for which nothing came since come last. A day whose
-- devices are about to go is not summed up again, so that nothing is lost of it.
CREATE VIEW IF NOT EXISTS provider_hours_due
SQL SECURITY DEFINER
AS SELECT day
   FROM (SELECT day, max(m.marked_at) AS marked, max(m.computed_at) AS computed
         FROM provider_hour_marks AS m
         GROUP BY day)
   WHERE marked > computed - INTERVAL 300 SECOND AND day > toDate(now('UTC')) - 399
   ORDER BY marked <= computed, computed, day
   LIMIT 10;

-- The choice is made first, as one value: only its days are written. A device counts once in an
-- hour that is there twice, where a local hour begins in the middle of it.
CREATE MATERIALIZED VIEW IF NOT EXISTS provider_hours_refresh
REFRESH EVERY 5 MINUTE APPEND TO provider_hours EMPTY
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(day) FROM provider_hours_due) AS chosen,
        (SELECT now64(3, 'UTC')) AS stamp
   SELECT day, h.hour AS hour, h.provider AS provider, countIf(nth = 1) AS devices,
          sum(h.seconds) AS seconds, max(h.speed_max) AS speed_max,
          uniqState(device_id) AS device_state, assumeNotNull(stamp) AS computed_at
   FROM (SELECT day, device_id, hours FROM device_day_zones FINAL
         WHERE day IN (SELECT arrayJoin(chosen)) AND has(chosen, day)
         SETTINGS do_not_merge_across_partitions_select_final = 1)
   ARRAY JOIN hours AS h, arrayEnumerateUniq(hours.hour, hours.provider) AS nth
   GROUP BY day, hour, provider
   UNION ALL
   SELECT day, toDateTime(day, 'UTC') AS hour, '' AS provider, 0 AS devices, 0 AS seconds,
          CAST(NULL, 'Nullable(Float32)') AS speed_max, uniqStateIf('', false) AS device_state,
          assumeNotNull(stamp) AS computed_at
   FROM (SELECT arrayJoin(chosen) AS day)
   GROUP BY day;

CREATE VIEW IF NOT EXISTS v_provider_hours
(
    provider      LowCardinality(String) COMMENT 'Provider of the path of the calls.',
    day           Date                   COMMENT 'Day of the hour, UTC; ask by it, it is fast.',
    hour          DateTime('UTC')        COMMENT 'Hour of the fixes, by the devices'' clocks, UTC.',
    devices       UInt64                 COMMENT 'Devices with a fix other than at 0,0.',
    seconds       UInt64
        COMMENT 'Seconds with such a fix, of all devices together.',
    speed_max_kmh Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry, kilometers/hour; NULL without any.',
    computed_at   DateTime64(3, 'UTC')
        COMMENT 'When the day was summed up, UTC milliseconds; what came later is not in it yet.'
)
SQL SECURITY DEFINER
AS SELECT provider, day, hour, devices, seconds, speed_max AS speed_max_kmh, computed_at
   FROM provider_hours
   WHERE provider != '' AND (day, computed_at) IN (
       SELECT day, max(p.computed_at) FROM provider_hours AS p GROUP BY day)
COMMENT 'Each provider by hour; computed within 15 minutes or so, kept for five years.';

-- A device counts once in all these days; devices of single hours cannot be added up.
CREATE VIEW IF NOT EXISTS v_active_devices
(
    provider      LowCardinality(String) COMMENT 'Provider of the path of the calls.',
    hour_of_day   UInt8                  COMMENT 'Hour of the day, UTC, 0 to 23.',
    devices       UInt64
        COMMENT 'Different devices with a fix in this hour of any of the days; over 65,536 about.',
    seconds       UInt64
        COMMENT 'Seconds with a fix in this hour of all of the days, of all devices together.',
    speed_max_kmh Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry, kilometers/hour; NULL without any.'
)
SQL SECURITY DEFINER
AS SELECT provider, toHour(hour) AS hour_of_day, uniqMerge(device_state) AS devices,
          sum(p.seconds) AS seconds, max(speed_max) AS speed_max_kmh
   FROM provider_hours AS p
   WHERE provider != '' AND day BETWEEN {from_day:Date} AND {to_day:Date}
     AND (day, computed_at) IN (
         SELECT day, max(p.computed_at) FROM provider_hours AS p
         WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
         GROUP BY day)
   GROUP BY provider, hour_of_day
COMMENT 'Each provider by hour of the day, over some days; as v_provider_hours, and as long.';
