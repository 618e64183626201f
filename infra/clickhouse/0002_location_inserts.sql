-- From a record to the tables: one insert of whole posts fills every table by materialized views.
-- Tables of engine Null keep nothing; they pass rows on. All that is computed about a fix is
-- computed in one view, and the views behind it name plain columns, because an insert analyses
-- every expression of every view (ADR 0025).

-- A post as it is in the log. The trusted facts `m` are in front of it: d device, o owner
-- (client), p provider, c country of the call. Also t transport, r received at (ms), kp and ko
-- partition and offset. Keys of the body that are not named here are ignored, also the device_id
-- of the body. Epoch times are floating point, because JSON may write 1764000000 as 1.764e9. They
-- may be any from 1970 to 9999; what a column cannot hold is stored as its last second. A fix
-- without telemetry has no telemetry.timestamp: 0 is a time.
CREATE TABLE IF NOT EXISTS in_locations
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_timestamp Float64,
    locations Array(Tuple(
        timestamp Float64, country_id String, latitude Float64, longitude Float64,
        altitude Nullable(Float64), accuracy Nullable(Float64), bearing Nullable(Float64),
        bearing_accuracy Nullable(Float64), metadata Array(Tuple(name String, value String)),
        telemetry Tuple(
            timestamp Nullable(Float64), ignition Nullable(Bool), odometer Nullable(Float64),
            speed Nullable(Float64), speed_accuracy Nullable(Float64),
            engine_rpm Nullable(Float64), engine_temperature Nullable(Float64),
            air_temperature Nullable(Float64), acceleration_longitudinal Nullable(Float64),
            acceleration_lateral Nullable(Float64), direction String,
            fuel_quantity Nullable(Float64), fuel_level Nullable(Float64),
            fuel_consumption Nullable(Float64), battery_level Nullable(Float64),
            battery_consumption Nullable(Float64), battery_health Nullable(Float64),
            battery_temperature Nullable(Float64), battery_remaining Nullable(Float64),
            others Array(Tuple(name String, value String)))))
)
ENGINE = Null;

-- One fix under the names and types of the tables that it goes to; the telemetry's own columns are
-- telemetry_…. kept: the fix belongs in `locations`. counted: also in days and minutes.
-- newest_able: also, it may become the last fix.
CREATE TABLE IF NOT EXISTS in_flat_fixes
(
    device_id String,
    ts DateTime('UTC'),
    lat_e7 Int32,
    lon_e7 Int32,
    country_id LowCardinality(String),
    altitude Nullable(Float32),
    accuracy Nullable(Float32),
    bearing Nullable(Float32),
    bearing_accuracy Nullable(Float32),
    speed Nullable(Float32),
    ignition Nullable(Bool),
    odometer Nullable(Float64),
    content_hash UInt32,
    metadata Map(LowCardinality(String), String),
    flag_bits UInt8,
    client_id LowCardinality(String),
    provider LowCardinality(String),
    call_country_id LowCardinality(String),
    transport_id Int64,
    post_ts DateTime('UTC'),
    received_at DateTime64(3, 'UTC'),
    k_partition UInt16,
    k_rank UInt64,
    item UInt16,
    kept UInt8,
    counted UInt8,
    newest_able UInt8,
    telemetry_kept UInt8,
    telemetry_ts DateTime64(3, 'UTC'),
    telemetry_flag_bits UInt8,
    speed_accuracy Nullable(Float32),
    engine_rpm Nullable(Float32),
    engine_temperature Nullable(Float32),
    air_temperature Nullable(Float32),
    acceleration_longitudinal Nullable(Float32),
    acceleration_lateral Nullable(Float32),
    direction LowCardinality(String),
    fuel_quantity Nullable(Float32),
    fuel_level Nullable(Float32),
    fuel_consumption Nullable(Float32),
    battery_level Nullable(Float32),
    battery_consumption Nullable(Float32),
    battery_health Nullable(Float32),
    battery_temperature Nullable(Float32),
    battery_remaining Nullable(Float32),
    others_hash UInt32,
    others Map(LowCardinality(String), String)
)
ENGINE = Null;

-- flag_bits: 1 future (over 300 s ahead of receipt), 2 zero_position, 4 stale (over 86,400 s old),
-- 8 jump, 16 percent_range. 34,560,000 s are the 400 days of retention, 86,400 s the day ahead. A
-- jump is a fix that needs more than 350 km/h (97.2 m/s) from the fix before it in time within the
-- same post; a fix at 0,0 is never an end of a jump. The arrays are sorted side by side, because a
-- lambda that captures an array copies it for every element.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_locations_to_in_flat_fixes TO in_flat_fixes AS
WITH
    locations.timestamp AS t, locations.latitude AS la, locations.longitude AS lo,
    arrayEnumerate(t) AS i,
    arraySort((x, y) -> (y, x), i, t) AS walk,
    arraySort((x, y, z) -> (y, z), t, t, i) AS wt,
    arraySort((x, y, z) -> (y, z), la, t, i) AS wla,
    arraySort((x, y, z) -> (y, z), lo, t, i) AS wlo,
    arrayMap((at, lat, lon, at0, lat0, lon0) ->
            (lat != 0 OR lon != 0) AND (lat0 != 0 OR lon0 != 0)
            AND greatCircleDistance(lon0, lat0, lon, lat) > 97.2 * greatest(at - at0, 1),
        wt, wla, wlo,
        arrayPushFront(arrayPopBack(wt), wt[1]), arrayPushFront(arrayPopBack(wla), wla[1]),
        arrayPushFront(arrayPopBack(wlo), wlo[1])) AS walk_jumps,
    arraySort((x, y) -> y, walk_jumps, walk) AS jumps,
    ifNull(told_s, -1) AS telemetry_s,
    toInt64(round(telemetry_s * 1000)) AS telemetry_ms,
    own_s - m.r / 1000 AS ahead_s,
    telemetry_s - m.r / 1000 AS telemetry_ahead_s,
    latitude = 0 AND longitude = 0 AS is_zero,
    2 * is_zero + 8 * jump
        + 16 * (ifNull(fuel_level NOT BETWEEN 0 AND 100, false)
             OR ifNull(battery_level NOT BETWEEN 0 AND 100, false)
             OR ifNull(battery_health NOT BETWEEN 0 AND 100, false)) AS place_flags,
    (speed_accuracy, engine_rpm, engine_temperature, air_temperature, acceleration_longitudinal,
     acceleration_lateral, direction, fuel_quantity, fuel_level, fuel_consumption, battery_level,
     battery_consumption, battery_health, battery_temperature, battery_remaining, more)
        AS elsewhere,
    direction = '' AND empty(more) AND coalesce(speed_accuracy, engine_rpm, engine_temperature,
        air_temperature, acceleration_longitudinal, acceleration_lateral, fuel_quantity, fuel_level,
        fuel_consumption, battery_level, battery_consumption, battery_health, battery_temperature,
        battery_remaining) IS NULL AS nothing_elsewhere,
    telemetry_ms - toInt64(ts) * 1000 AS telemetry_shift_ms,
    telemetry_ms < 0 OR (nothing_elsewhere AND telemetry_shift_ms = 0
        AND (speed IS NOT NULL OR ignition IS NOT NULL OR odometer IS NOT NULL))
        AS told_by_columns
SELECT m.d AS device_id, toDateTime(least(own_s, 4294967295), 'UTC') AS ts,
       toInt32(round(latitude * 1e7)) AS lat_e7, toInt32(round(longitude * 1e7)) AS lon_e7,
       country_id, altitude, accuracy, bearing, bearing_accuracy, speed, ignition, odometer,
       toUInt32(bitAnd(4294967295, bitXor(bitXor(
           if(empty(pairs), 0, cityHash64(pairs)),
           if(told_by_columns, 0, cityHash64((telemetry_shift_ms, elsewhere)))),
           if(latitude = lat_e7 / 1e7 AND longitude = lon_e7 / 1e7, 0,
              cityHash64(latitude, longitude))))) AS content_hash,
       CAST((pairs.name, pairs.value), 'Map(LowCardinality(String), String)') AS metadata,
       place_flags + (ahead_s > 300) + 4 * (ahead_s < -86400) AS flag_bits,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id,
       toDateTime(least(post_timestamp, 4294967295), 'UTC') AS post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank, item,
       ahead_s BETWEEN -34560000 AND 86400 AS kept, kept AND NOT is_zero AS counted,
       counted AND ahead_s <= 300 AS newest_able,
       telemetry_ms >= 0 AND telemetry_ahead_s BETWEEN -34560000 AND 86400 AS telemetry_kept,
       fromUnixTimestamp64Milli(telemetry_ms, 'UTC') AS telemetry_ts,
       place_flags + (telemetry_ahead_s > 300) + 4 * (telemetry_ahead_s < -86400)
           AS telemetry_flag_bits,
       speed_accuracy, engine_rpm, engine_temperature, air_temperature, acceleration_longitudinal,
       acceleration_lateral, direction, fuel_quantity, fuel_level, fuel_consumption, battery_level,
       battery_consumption, battery_health, battery_temperature, battery_remaining,
       if(empty(more), 0, toUInt32(bitAnd(4294967295, cityHash64(more)))) AS others_hash,
       CAST((more.name, more.value), 'Map(LowCardinality(String), String)') AS others
FROM in_locations
ARRAY JOIN
    jumps AS jump, i AS item, locations.timestamp AS own_s, locations.country_id AS country_id,
    locations.latitude AS latitude, locations.longitude AS longitude,
    locations.altitude AS altitude, locations.accuracy AS accuracy, locations.bearing AS bearing,
    locations.bearing_accuracy AS bearing_accuracy, locations.metadata AS pairs,
    locations.telemetry.timestamp AS told_s, locations.telemetry.ignition AS ignition,
    locations.telemetry.odometer AS odometer, locations.telemetry.speed AS speed,
    locations.telemetry.speed_accuracy AS speed_accuracy,
    locations.telemetry.engine_rpm AS engine_rpm,
    locations.telemetry.engine_temperature AS engine_temperature,
    locations.telemetry.air_temperature AS air_temperature,
    locations.telemetry.acceleration_longitudinal AS acceleration_longitudinal,
    locations.telemetry.acceleration_lateral AS acceleration_lateral,
    locations.telemetry.direction AS direction,
    locations.telemetry.fuel_quantity AS fuel_quantity,
    locations.telemetry.fuel_level AS fuel_level,
    locations.telemetry.fuel_consumption AS fuel_consumption,
    locations.telemetry.battery_level AS battery_level,
    locations.telemetry.battery_consumption AS battery_consumption,
    locations.telemetry.battery_health AS battery_health,
    locations.telemetry.battery_temperature AS battery_temperature,
    locations.telemetry.battery_remaining AS battery_remaining,
    locations.telemetry.others AS more;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_flat_fixes_to_locations TO locations AS
SELECT device_id, ts, lat_e7, lon_e7, country_id, altitude, accuracy, bearing, bearing_accuracy,
       speed, ignition, odometer, content_hash, metadata, flag_bits, client_id, provider,
       call_country_id, transport_id, post_ts, received_at, k_partition, k_rank
FROM in_flat_fixes
WHERE kept;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_flat_fixes_to_telemetry TO telemetry AS
SELECT device_id, telemetry_ts AS ts, lat_e7, lon_e7, country_id, ignition, odometer, speed,
       speed_accuracy, engine_rpm, engine_temperature, air_temperature, acceleration_longitudinal,
       acceleration_lateral, direction, fuel_quantity, fuel_level, fuel_consumption, battery_level,
       battery_consumption, battery_health, battery_temperature, battery_remaining, others_hash,
       others, telemetry_flag_bits AS flag_bits, client_id, provider, call_country_id,
       transport_id, post_ts, received_at, k_partition, k_rank
FROM in_flat_fixes
WHERE telemetry_kept;

-- Only the newest fix of each device in the insert is aggregated: comparing tuples for each fix
-- costs more than one sort.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_flat_fixes_to_device_last TO device_last AS
SELECT device_id, max(f.ts) AS ts,
       argMaxState((f.ts, lat_e7, lon_e7, toString(country_id), speed, bearing,
                    ignition, toString(client_id), toString(provider), transport_id, received_at),
                   (f.ts, bitNot(k_rank), item)) AS place
FROM (SELECT device_id, ts, lat_e7, lon_e7, country_id, speed, bearing, ignition, client_id,
             provider, transport_id, received_at, k_rank, item
      FROM in_flat_fixes
      WHERE newest_able
      ORDER BY ts DESC, k_rank, item DESC
      LIMIT 1 BY device_id) AS f
GROUP BY device_id;

-- Posts with an outlier among their fixes. They are rare, so the views behind this
-- table cost nothing.
CREATE TABLE IF NOT EXISTS in_outlying_posts
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_timestamp Float64,
    locations Array(Tuple(
        timestamp Float64, country_id String, latitude Float64, longitude Float64,
        altitude Nullable(Float64), accuracy Nullable(Float64), bearing Nullable(Float64),
        bearing_accuracy Nullable(Float64), metadata Array(Tuple(name String, value String)),
        telemetry Tuple(
            timestamp Nullable(Float64), ignition Nullable(Bool), odometer Nullable(Float64),
            speed Nullable(Float64), speed_accuracy Nullable(Float64),
            engine_rpm Nullable(Float64), engine_temperature Nullable(Float64),
            air_temperature Nullable(Float64), acceleration_longitudinal Nullable(Float64),
            acceleration_lateral Nullable(Float64), direction String,
            fuel_quantity Nullable(Float64), fuel_level Nullable(Float64),
            fuel_consumption Nullable(Float64), battery_level Nullable(Float64),
            battery_consumption Nullable(Float64), battery_health Nullable(Float64),
            battery_temperature Nullable(Float64), battery_remaining Nullable(Float64),
            others Array(Tuple(name String, value String)))))
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_locations_to_in_outlying_posts TO in_outlying_posts AS
SELECT m, post_timestamp, locations
FROM in_locations
WHERE arrayExists((own_s, telemetry_s) ->
        own_s - m.r / 1000 NOT BETWEEN -34560000 AND 86400
        OR ifNull(telemetry_s - m.r / 1000 NOT BETWEEN -34560000 AND 86400, false),
    locations.timestamp, locations.telemetry.timestamp);

-- clock_not_set: before 2000-01-01 or after 2100-01-01, a time that no clock in use shows unless it
-- was never set. gps_week_rollover: 1,024 weeks (619,315,200 s) old, give or take a day. The number
-- of the week in GPS has ten bits, and an old receiver begins again. 10,413,791,999 s is the end of
-- 2299, the last second of a DateTime64.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_outlying_posts_to_location_outliers
TO location_outliers AS
SELECT m.d AS device_id, kind,
       multiIf(ahead_s BETWEEN -619401600 AND -619228800, 'gps_week_rollover',
               at_s NOT BETWEEN 946684800 AND 4102444800, 'clock_not_set',
               ahead_s > 0, 'too_far_ahead', 'too_old') AS reason,
       fromUnixTimestamp64Milli(toInt64(round(least(at_s, 10413791999.) * 1000)), 'UTC') AS ts,
       toInt32(round(latitude * 1e7)) AS lat_e7, toInt32(round(longitude * 1e7)) AS lon_e7,
       cityHash64(content) AS content_hash,
       if(is_fix, toJSONString(fix), toJSONString(carried)) AS content,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id,
       toDateTime(least(post_timestamp, 4294967295), 'UTC') AS post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM (
    SELECT *, kind, kind = 'location' AS is_fix,
           if(is_fix, own_s, ifNull(telemetry_s, -1)) AS at_s, at_s - m.r / 1000 AS ahead_s
    FROM (
        SELECT m, post_timestamp, fix, own_s, telemetry_s, latitude, longitude, carried
        FROM in_outlying_posts
        ARRAY JOIN locations AS fix, locations.timestamp AS own_s,
            locations.telemetry.timestamp AS telemetry_s, locations.latitude AS latitude,
            locations.longitude AS longitude, locations.telemetry AS carried)
    ARRAY JOIN ['location', 'telemetry'] AS kind)
WHERE ahead_s NOT BETWEEN -34560000 AND 86400
  AND at_s >= 0;
