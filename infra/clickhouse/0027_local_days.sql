-- What analysts read by the clock of the place. A wall clock is no instant: its columns are named
-- local_… and have no zone of their own.

CREATE VIEW IF NOT EXISTS v_device_zones
(
    device_id   String                 COMMENT 'RTT device id.',
    day         Date                   COMMENT 'Day of the fixes, UTC, as in v_device_days.',
    time_zone   LowCardinality(String) COMMENT 'IANA time zone of most seconds of the day.',
    source      LowCardinality(String)
        COMMENT
    'place; unsure: border (by the country sent), country (the one sent, at sea), longitude.',
    computed_at DateTime64(3, 'UTC')   COMMENT 'When this row was computed, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, zone AS time_zone, source, computed_at
   FROM device_day_zones FINAL
   WHERE notEmpty(pieces)
   SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The time zone of each device by UTC day; computed after v_device_days.';

-- Trips as they were driven: the pieces of v_trips put together over midnight UTC.
CREATE VIEW IF NOT EXISTS v_local_trips
(
    device_id       String                 COMMENT 'RTT device id.',
    local_day       Date                   COMMENT 'Day by the local clock on which it began.',
    local_start     DateTime('UTC')        COMMENT 'Wall clock of the place when it began.',
    local_end       DateTime('UTC')        COMMENT 'When it ended, by the same wall clock.',
    time_zone       LowCardinality(String) COMMENT 'Time zone of the device when it began.',
    provider        LowCardinality(String) COMMENT 'Provider of the last fix of its first day.',
    start_ts        DateTime('UTC')        COMMENT 'When it began to move, UTC seconds.',
    start_latitude  Float64                COMMENT 'Where it began, degrees.',
    start_longitude Float64                COMMENT 'Where it began, degrees.',
    end_ts          DateTime('UTC')        COMMENT 'When it last moved, UTC seconds.',
    end_latitude    Float64                COMMENT 'Where it ended, degrees.',
    end_longitude   Float64                COMMENT 'Where it ended, degrees.',
    duration_s      UInt32                 COMMENT 'From start to end, seconds.',
    driving_s       UInt32                 COMMENT 'Seconds of these in which it moved.',
    distance_m      Float64                COMMENT 'Meters, as in v_device_days.',
    speed_max_kmh   Nullable(Float32)      COMMENT 'Greatest speed, kilometers/hour.'
)
SQL SECURITY DEFINER
AS SELECT device_id, toDate(local_start) AS local_day, start_ts + offset_s AS local_start,
          end_ts + offset_s AS local_end, time_zone, provider, start_ts, start_latitude,
          start_longitude, end_ts, end_latitude, end_longitude,
          toUInt32(end_ts - start_ts) AS duration_s, driving_s, distance_m, speed_max_kmh
   FROM (SELECT t.*, z.zone AS time_zone
         FROM (SELECT device_id, min(p.start_ts) AS start_ts, max(p.end_ts) AS end_ts,
                      toDate(start_ts) AS day, argMin(p.provider, p.start_ts) AS provider,
                      argMin(p.start_latitude, p.start_ts) AS start_latitude,
                      argMin(p.start_longitude, p.start_ts) AS start_longitude,
                      argMax(p.end_latitude, p.end_ts) AS end_latitude,
                      argMax(p.end_longitude, p.end_ts) AS end_longitude,
                      toUInt32(sum(p.driving_s)) AS driving_s, sum(p.distance_m) AS distance_m,
                      max(p.speed_max_kmh) AS speed_max_kmh
               FROM (SELECT *, countIf(NOT continues) OVER (
                                PARTITION BY device_id ORDER BY start_ts, end_ts) AS trip
                     FROM v_trips) AS p
               GROUP BY device_id, trip) AS t
         INNER JOIN (SELECT device_id, day, zone FROM device_day_zones FINAL
                     SETTINGS do_not_merge_across_partitions_select_final = 1) AS z
         ON z.device_id = t.device_id AND z.day = t.day) AS t
   ASOF INNER JOIN (SELECT zone, since, offset_s FROM time_zone_clocks
                    WHERE release = (SELECT argMax(release, applied_at)
                                     FROM time_zone_releases)) AS k
   ON k.zone = t.time_zone AND t.start_ts >= k.since
COMMENT 'Whole trips, also over midnight, by the day of the local clock on which they began.';

CREATE VIEW IF NOT EXISTS v_local_days
(
    device_id      String                 COMMENT 'RTT device id.',
    local_day      Date                   COMMENT 'Day by the local clock.',
    time_zone      LowCardinality(String) COMMENT 'IANA time zone of most seconds of the day.',
    source         LowCardinality(String) COMMENT 'How it is known, as in v_device_zones.',
    provider       LowCardinality(String) COMMENT 'Provider of the fixes, of several the greatest.',
    country_id     LowCardinality(String) COMMENT 'Country of the fixes, of several the greatest.',
    seconds        UInt64
        COMMENT 'Seconds of the local day with a fix other than at 0,0.',
    first_ts       Nullable(DateTime('UTC')) COMMENT 'Time of the first fix, UTC seconds.',
    last_ts        Nullable(DateTime('UTC')) COMMENT 'Time of the last fix, UTC seconds.',
    latitude       Nullable(Float64)      COMMENT 'Of the last fix, degrees.',
    longitude      Nullable(Float64)      COMMENT 'Of the last fix, degrees.',
    trips          UInt64
        COMMENT 'Whole trips that began on the local day, wherever they ended.',
    distance_m     Float64                COMMENT 'Meters of these trips.',
    driving_s      UInt64                 COMMENT 'Seconds of these trips in which it moved.',
    odometer_km    Nullable(Float64)
        COMMENT 'Greatest minus least odometer of the local day, kilometers; NULL without any.',
    speed_max_kmh  Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry, kilometers/hour; NULL without any.'
)
SQL SECURITY DEFINER
AS SELECT device_id, local_day, argMax(zone, zone_weight) AS time_zone,
          argMax(zone_source, zone_weight) AS source, max(provider_of) AS provider,
          max(country_of) AS country_id, sum(weight) AS seconds, min(first) AS first_ts,
          max(last) AS last_ts, tupleElement(argMax(place, last), 1) AS latitude,
          tupleElement(argMax(place, last), 2) AS longitude, sum(n) AS trips,
          sum(metres) AS distance_m, sum(driven) AS driving_s,
          max(odometer_most) - min(odometer_least) AS odometer_km, max(speed) AS speed_max_kmh
   FROM (SELECT device_id, p.local_day AS local_day, zone,
                (p.seconds, toString(zone)) AS zone_weight,
                source AS zone_source, toString(provider) AS provider_of,
                toString(country_id) AS country_of,
                toUInt64(p.seconds) AS weight, toNullable(p.first_ts) AS first,
                toNullable(p.last_ts) AS last,
                (toNullable(p.last_latitude), toNullable(p.last_longitude)) AS place,
                toUInt64(0) AS n, 0. AS metres, toUInt64(0) AS driven,
                p.odometer_max AS odometer_most, p.odometer_min AS odometer_least,
                p.speed_max AS speed
         FROM (SELECT device_id, zone, source, provider, country_id, arrayJoin(pieces) AS p
               FROM device_day_zones FINAL
               SETTINGS do_not_merge_across_partitions_select_final = 1)
         UNION ALL
         SELECT device_id, local_day, time_zone, (toUInt32(0), toString(time_zone)), '',
                toString(provider), '', toUInt64(0),
                NULL, NULL, (NULL, NULL), toUInt64(1), distance_m, toUInt64(driving_s), NULL, NULL,
                NULL
         FROM v_local_trips)
   GROUP BY device_id, local_day
COMMENT 'Each device by day of the local clock; a trip counts whole on the day on which it began.';

CREATE VIEW IF NOT EXISTS v_local_hours
(
    device_id     String                 COMMENT 'RTT device id.',
    day           Date                   COMMENT 'UTC day of these fixes; ask by it, it is fast.',
    local_day     Date                   COMMENT 'Day by the local clock.',
    local_hour    UInt8                  COMMENT 'Hour of the local clock, 0 to 23.',
    utc_offset_s  Int32
        COMMENT 'Seconds that the clock is ahead of UTC; two rows where an hour comes twice.',
    time_zone     LowCardinality(String) COMMENT 'IANA time zone of the device on this UTC day.',
    provider      LowCardinality(String) COMMENT 'Provider of the calls'' path.',
    seconds       UInt64                 COMMENT 'Seconds of the hour with a fix.',
    first_ts      DateTime('UTC')        COMMENT 'First minute with a fix, UTC.',
    last_ts       DateTime('UTC')        COMMENT 'Time of the last fix, UTC seconds.',
    speed_max_kmh Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry, kilometers/hour; NULL without any.'
)
SQL SECURITY DEFINER
AS SELECT device_id, day, toDate(h.first_minute + h.offset_s) AS local_day,
          toHour(h.first_minute + h.offset_s) AS local_hour, h.offset_s AS utc_offset_s,
          zone AS time_zone, max(h.provider) AS provider, sum(h.seconds) AS seconds,
          min(h.first_minute) AS first_ts, max(h.last_ts) AS last_ts,
          max(h.speed_max) AS speed_max_kmh
   FROM (SELECT device_id, day, zone, arrayJoin(hours) AS h
         FROM device_day_zones FINAL
         SETTINGS do_not_merge_across_partitions_select_final = 1)
   GROUP BY device_id, day, local_day, local_hour, utc_offset_s, time_zone
COMMENT 'Each device by hour of the local clock; computed with v_device_zones.';

CREATE VIEW IF NOT EXISTS v_local_locations
(
    device_id    String                 COMMENT 'RTT device id.',
    ts           DateTime('UTC')        COMMENT 'Time of the fix, UTC seconds.',
    local_ts     DateTime('UTC')        COMMENT 'The same by the wall clock of the place.',
    utc_offset_s Int32                  COMMENT 'Seconds that this clock is ahead of UTC.',
    time_zone    LowCardinality(String) COMMENT 'IANA time zone of the device on this UTC day.',
    latitude     Float64                COMMENT 'Degrees.',
    longitude    Float64                COMMENT 'Degrees.',
    speed        Nullable(Float32)      COMMENT 'Kilometers/hour.',
    provider     LowCardinality(String) COMMENT 'Provider of the call''s path.'
)
SQL SECURITY DEFINER
AS SELECT device_id, ts, ts + k.offset_s AS local_ts, k.offset_s AS utc_offset_s,
          l.zone AS time_zone, latitude, longitude, speed, provider
   FROM (SELECT l.device_id AS device_id, l.ts AS ts, l.latitude AS latitude,
                l.longitude AS longitude, l.speed AS speed, l.provider AS provider, z.zone AS zone
         FROM (SELECT device_id, ts, toDate(ts) AS day, latitude, longitude, speed, provider
               FROM v_locations) AS l
         INNER JOIN (SELECT device_id, day, zone FROM device_day_zones FINAL
                     SETTINGS do_not_merge_across_partitions_select_final = 1) AS z
         ON z.device_id = l.device_id AND z.day = l.day) AS l
   ASOF INNER JOIN (SELECT zone, since, offset_s FROM time_zone_clocks
                    WHERE release = (SELECT argMax(release, applied_at)
                                     FROM time_zone_releases)) AS k
   ON k.zone = l.zone AND l.ts >= k.since
COMMENT 'Fixes with the local wall clock; ask it for a device and some days.';
