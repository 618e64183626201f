-- The battery of each device by day, computed after its day (0015), so that a month of it is read
-- without its readings. Readings of a fix at 0,0 are left out: such a fix computes no day again.

-- A day without a reading has a row too, which says that it was computed.
CREATE TABLE IF NOT EXISTS battery_days
(
    device_id   String                                           CODEC(ZSTD(1)),
    day         Date                                             CODEC(ZSTD(1)),
    readings    UInt32                                           CODEC(ZSTD(1)),
    first       Tuple(ts DateTime64(3, 'UTC'), percent Float32)  CODEC(ZSTD(1)),
    last        Tuple(ts DateTime64(3, 'UTC'), percent Float32)  CODEC(ZSTD(1)),
    percent_min Float32                                          CODEC(ZSTD(1)),
    percent_max Float32                                          CODEC(ZSTD(1)),
    computed_at DateTime64(3, 'UTC')                             CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(day)
ORDER BY (device_id, day)
TTL day + INTERVAL 400 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS battery_days_to_place_day_marks TO place_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, day, max(computed_at) AS battery_computed_at
   FROM battery_days
   GROUP BY device_id, day;

-- The days to compute next, as in device_day_zones_due.
CREATE VIEW IF NOT EXISTS battery_days_due
SQL SECURITY DEFINER
AS SELECT device_id, day
   FROM place_day_marks
   WHERE (device_id, day) IN (
           SELECT device_id, day FROM place_day_marks WHERE marked_at > battery_computed_at)
   GROUP BY device_id, day
   HAVING max(marked_at) > max(battery_computed_at)
   ORDER BY cityHash64(device_id, day, now())
   LIMIT 10000;

-- Of several readings in one millisecond the least is the first, the greatest the last.
CREATE VIEW IF NOT EXISTS battery_days_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, day)) FROM battery_days_due) AS due
   SELECT u.device_id AS device_id, u.day AS day, toUInt32(b.readings) AS readings,
          b.first AS first, b.last AS last, b.percent_min AS percent_min,
          b.percent_max AS percent_max
   FROM (SELECT unit.1 AS device_id, unit.2 AS day FROM (SELECT arrayJoin(due) AS unit)) AS u
   LEFT JOIN (
       SELECT device_id, toDate(ts) AS day, count() AS readings,
              min((ts, assumeNotNull(battery_level))) AS first,
              max((ts, assumeNotNull(battery_level))) AS last,
              min(assumeNotNull(battery_level)) AS percent_min,
              max(assumeNotNull(battery_level)) AS percent_max
       FROM v_telemetry
       WHERE (toDate(ts), device_id) IN (
               SELECT unit.2, unit.1 FROM (SELECT arrayJoin(due) AS unit))
         AND ts >= toDateTime(arrayMin(due.2), 'UTC')
         AND ts < toDateTime(arrayMax(due.2) + 1, 'UTC')
         AND battery_level IS NOT NULL AND (latitude != 0 OR longitude != 0)
       GROUP BY device_id, day) AS b
   ON b.device_id = u.device_id AND b.day = u.day;

CREATE MATERIALIZED VIEW IF NOT EXISTS battery_days_refresh
REFRESH EVERY 1 MINUTE APPEND TO battery_days EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, day, readings, first, last, percent_min, percent_max,
          now64(3, 'UTC') AS computed_at
   FROM battery_days_now;

CREATE VIEW IF NOT EXISTS v_battery_days
(
    device_id     String               COMMENT 'RTT device id.',
    day           Date                 COMMENT 'Day of the readings, by the device''s clock, UTC.',
    readings      UInt32
        COMMENT 'Readings of the battery level, of fixes other than at 0,0.',
    first_ts      DateTime64(3, 'UTC') COMMENT 'Time of the first reading, UTC milliseconds.',
    first_percent Float32              COMMENT 'Level of the first reading, percent as sent.',
    last_ts       DateTime64(3, 'UTC') COMMENT 'Time of the last reading, UTC milliseconds.',
    last_percent  Float32              COMMENT 'Level of the last reading, percent as sent.',
    percent_min   Float32              COMMENT 'Least level of the day, percent as sent.',
    percent_max   Float32              COMMENT 'Greatest level of the day, percent as sent.',
    computed_at   DateTime64(3, 'UTC')
        COMMENT 'When this row was computed, UTC milliseconds; what came later is not in it yet.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, readings, first.1 AS first_ts, first.2 AS first_percent,
          last.1 AS last_ts, last.2 AS last_percent, percent_min, percent_max, computed_at
   FROM battery_days FINAL
   WHERE readings > 0
   SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Battery levels of each device by UTC day; computed after v_device_days.';
