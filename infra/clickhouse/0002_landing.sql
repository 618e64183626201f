-- The way of a record into the tables: one insert of whole posts, all tables by materialized views.
-- Tables of engine Null keep nothing; they only pass rows on.

-- A post as it lies in the log, with the member m of trusted facts in front of it: d device,
-- o owner (client), p provider, c country of the call, t transport, r received at (ms), kp and ko
-- partition and offset. Keys of the body that are not named here are ignored, and so is the
-- device_id of the body. Epoch times are floating point, because JSON may write 1764000000 as
-- 1.764e9.
CREATE TABLE IF NOT EXISTS in_locations
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_timestamp Float64,
    locations Array(Tuple(
        timestamp Float64, country_id String, latitude Float64, longitude Float64,
        altitude Nullable(Float64), accuracy Nullable(Float64), bearing Nullable(Float64),
        bearing_accuracy Nullable(Float64), metadata Array(Tuple(name String, value String)),
        telemetry Tuple(
            timestamp Float64, ignition Nullable(Bool), odometer Nullable(Float64),
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

-- One fix with everything that is computed about it once for all tables. telemetry_ms is 0 without
-- telemetry. ahead_s and telemetry_ahead_s are own time minus receipt, in seconds.
CREATE TABLE IF NOT EXISTS in_fixes
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_ts DateTime('UTC'),
    item UInt16,
    ts DateTime('UTC'),
    telemetry_ms Int64,
    ahead_s Float64,
    telemetry_ahead_s Float64,
    lat_e7 Int32,
    lon_e7 Int32,
    place_flags UInt8,
    fix Tuple(
        timestamp Float64, country_id String, latitude Float64, longitude Float64,
        altitude Nullable(Float64), accuracy Nullable(Float64), bearing Nullable(Float64),
        bearing_accuracy Nullable(Float64), metadata Array(Tuple(name String, value String)),
        telemetry Tuple(
            timestamp Float64, ignition Nullable(Bool), odometer Nullable(Float64),
            speed Nullable(Float64), speed_accuracy Nullable(Float64),
            engine_rpm Nullable(Float64), engine_temperature Nullable(Float64),
            air_temperature Nullable(Float64), acceleration_longitudinal Nullable(Float64),
            acceleration_lateral Nullable(Float64), direction String,
            fuel_quantity Nullable(Float64), fuel_level Nullable(Float64),
            fuel_consumption Nullable(Float64), battery_level Nullable(Float64),
            battery_consumption Nullable(Float64), battery_health Nullable(Float64),
            battery_temperature Nullable(Float64), battery_remaining Nullable(Float64),
            others Array(Tuple(name String, value String))))
)
ENGINE = Null;

-- place_flags: 2 zero_position, 8 jump, 16 percent_range. The flags future (1) and stale (4) depend
-- on the time of the row and are added by the views below.
-- A jump is a fix that needs more than 350 km/h (97.2 m/s) from the fix before it in time within
-- the same post; a position of 0,0 neither jumps nor is jumped from. The arrays are sorted side by
-- side, because a lambda that captures an array copies it for every element.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_locations_to_in_fixes TO in_fixes AS
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
    arraySort((x, y) -> y, walk_jumps, walk) AS jumps
SELECT m,
       toDateTime(post_timestamp, 'UTC') AS post_ts,
       item,
       toDateTime(fix.timestamp, 'UTC') AS ts,
       toInt64(round(fix.telemetry.timestamp * 1000)) AS telemetry_ms,
       fix.timestamp - m.r / 1000 AS ahead_s,
       fix.telemetry.timestamp - m.r / 1000 AS telemetry_ahead_s,
       toInt32(round(fix.latitude * 1e7)) AS lat_e7,
       toInt32(round(fix.longitude * 1e7)) AS lon_e7,
       2 * (fix.latitude = 0 AND fix.longitude = 0) + 8 * jump
           + 16 * (ifNull(fix.telemetry.fuel_level NOT BETWEEN 0 AND 100, false)
                OR ifNull(fix.telemetry.battery_level NOT BETWEEN 0 AND 100, false)
                OR ifNull(fix.telemetry.battery_health NOT BETWEEN 0 AND 100, false))
           AS place_flags,
       fix
FROM in_locations
ARRAY JOIN locations AS fix, jumps AS jump, i AS item;

-- 34,560,000 s are the 400 days of retention, 86,400 s the day ahead, 300 s the tolerance of
-- "future", 86,400 s the age of "stale".
CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_locations TO locations AS
WITH
    fix.telemetry AS tel,
    (tel.speed_accuracy, tel.engine_rpm, tel.engine_temperature, tel.air_temperature,
     tel.acceleration_longitudinal, tel.acceleration_lateral, tel.direction, tel.fuel_quantity,
     tel.fuel_level, tel.fuel_consumption, tel.battery_level, tel.battery_consumption,
     tel.battery_health, tel.battery_temperature, tel.battery_remaining, tel.others) AS elsewhere,
    tel.direction = '' AND empty(tel.others) AND coalesce(tel.speed_accuracy, tel.engine_rpm,
        tel.engine_temperature, tel.air_temperature, tel.acceleration_longitudinal,
        tel.acceleration_lateral, tel.fuel_quantity, tel.fuel_level, tel.fuel_consumption,
        tel.battery_level, tel.battery_consumption, tel.battery_health, tel.battery_temperature,
        tel.battery_remaining) IS NULL AS nothing_elsewhere,
    telemetry_ms - toInt64(ts) * 1000 AS telemetry_shift_ms,
    telemetry_ms = 0 OR (nothing_elsewhere AND telemetry_shift_ms = 0
        AND (tel.speed IS NOT NULL OR tel.ignition IS NOT NULL OR tel.odometer IS NOT NULL))
        AS told_by_columns
SELECT m.d AS device_id, ts, lat_e7, lon_e7, fix.country_id AS country_id,
       fix.altitude AS altitude, fix.accuracy AS accuracy, fix.bearing AS bearing,
       fix.bearing_accuracy AS bearing_accuracy, tel.speed AS speed, tel.ignition AS ignition,
       tel.odometer AS odometer,
       toUInt32(bitAnd(4294967295, bitXor(bitXor(
           if(empty(fix.metadata), 0, cityHash64(fix.metadata)),
           if(told_by_columns, 0, cityHash64((telemetry_shift_ms, elsewhere)))),
           if(fix.latitude = lat_e7 / 1e7 AND fix.longitude = lon_e7 / 1e7, 0,
              cityHash64(fix.latitude, fix.longitude))))) AS content_hash,
       CAST((fix.metadata.name, fix.metadata.value), 'Map(LowCardinality(String), String)')
           AS metadata,
       place_flags + (ahead_s > 300) + 4 * (ahead_s < -86400) AS flag_bits,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id, post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_fixes
WHERE ahead_s BETWEEN -34560000 AND 86400;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_telemetry TO telemetry AS
WITH fix.telemetry AS tel
SELECT m.d AS device_id, fromUnixTimestamp64Milli(telemetry_ms, 'UTC') AS ts, lat_e7, lon_e7,
       fix.country_id AS country_id, tel.ignition AS ignition, tel.odometer AS odometer,
       tel.speed AS speed, tel.speed_accuracy AS speed_accuracy, tel.engine_rpm AS engine_rpm,
       tel.engine_temperature AS engine_temperature, tel.air_temperature AS air_temperature,
       tel.acceleration_longitudinal AS acceleration_longitudinal,
       tel.acceleration_lateral AS acceleration_lateral, tel.direction AS direction,
       tel.fuel_quantity AS fuel_quantity, tel.fuel_level AS fuel_level,
       tel.fuel_consumption AS fuel_consumption, tel.battery_level AS battery_level,
       tel.battery_consumption AS battery_consumption, tel.battery_health AS battery_health,
       tel.battery_temperature AS battery_temperature, tel.battery_remaining AS battery_remaining,
       if(empty(tel.others), 0, toUInt32(bitAnd(4294967295, cityHash64(tel.others))))
           AS others_hash,
       CAST((tel.others.name, tel.others.value), 'Map(LowCardinality(String), String)') AS others,
       place_flags + (telemetry_ahead_s > 300) + 4 * (telemetry_ahead_s < -86400) AS flag_bits,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id, post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_fixes
WHERE telemetry_ms != 0 AND telemetry_ahead_s BETWEEN -34560000 AND 86400;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_location_outliers TO location_outliers AS
SELECT m.d AS device_id, 'location' AS kind, if(ahead_s > 0, 'too_far_ahead', 'too_old') AS reason,
       toDateTime64(ts, 3, 'UTC') AS ts, lat_e7, lon_e7, cityHash64(content) AS content_hash,
       toJSONString(fix) AS content,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id, post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_fixes
WHERE ahead_s NOT BETWEEN -34560000 AND 86400;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_telemetry_outliers TO location_outliers AS
SELECT m.d AS device_id, 'telemetry' AS kind,
       if(telemetry_ahead_s > 0, 'too_far_ahead', 'too_old') AS reason,
       fromUnixTimestamp64Milli(telemetry_ms, 'UTC') AS ts, lat_e7, lon_e7,
       cityHash64(content) AS content_hash, toJSONString(fix.telemetry) AS content,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id, post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_fixes
WHERE telemetry_ms != 0 AND telemetry_ahead_s NOT BETWEEN -34560000 AND 86400;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_device_last TO device_last AS
SELECT m.d AS device_id, max(in_fixes.ts) AS ts,
       argMaxState((in_fixes.ts, lat_e7, lon_e7, fix.country_id,
                    toFloat32(fix.telemetry.speed)::Nullable(Float32),
                    toFloat32(fix.bearing)::Nullable(Float32), fix.telemetry.ignition, m.o, m.p,
                    m.t, fromUnixTimestamp64Milli(m.r, 'UTC')),
                   (in_fixes.ts, m.ko, item)) AS place
FROM in_fixes
WHERE ahead_s BETWEEN -34560000 AND 300 AND bitAnd(place_flags, 2) = 0
GROUP BY device_id;
