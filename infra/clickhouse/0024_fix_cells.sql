-- The second order of fixes, by day and place, for "who was here" (ADR 0068). It is written with
-- every insert; repeats, late fixes and any order of arrival give the same rows.

-- Where each device was in each second, once however often it was sent. Fixes at 0,0 are left out.
-- A cell is 0.02 degrees of latitude by 0.02 of longitude, some 2 km, so that a box is a range of
-- cells. Partitions are those of locations.
CREATE TABLE IF NOT EXISTS fixes_by_place
(
    day       Date            CODEC(ZSTD(1)),
    lat_cell  Int16           CODEC(ZSTD(1)),
    lon_cell  Int16           CODEC(ZSTD(1)),
    device_id String          CODEC(ZSTD(3)),
    ts        DateTime('UTC') CODEC(Delta, ZSTD(1)),
    lat_e7    Int32           CODEC(Delta, ZSTD(3)),
    lon_e7    Int32           CODEC(Delta, ZSTD(3)),
    is_late   Bool            CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY if(is_late, 0, toYYYYMMDD(day))
PRIMARY KEY (day, lat_cell, lon_cell)
ORDER BY (day, lat_cell, lon_cell, device_id, ts, lat_e7, lon_e7)
TTL day + 1 + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         merge_selector_base = 20, min_age_to_force_merge_seconds = 86400,
         min_age_to_force_merge_on_partition_only = 1, auto_statistics_types = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS in_flat_fixes_to_fixes_by_place TO fixes_by_place AS
SELECT toDate(ts) AS day, toInt16(floor(lat_e7 / 200000)) AS lat_cell,
       toInt16(floor(lon_e7 / 200000)) AS lon_cell, device_id, ts, lat_e7, lon_e7,
       toDate(ts) != toDate(received_at) AS is_late
FROM in_flat_fixes
WHERE counted;

-- All conditions are on the sorting key, which twins share, so that they come before FINAL. A
-- longitude of a cell may be asked beyond 180 degrees, so that a box may cross that meridian.
CREATE VIEW IF NOT EXISTS v_fixes_in_box
(
    device_id String          COMMENT 'RTT device id.',
    ts        DateTime('UTC')
        COMMENT 'When the fix was obtained, by the device''s clock, UTC seconds.',
    latitude  Float64         COMMENT 'Degrees, south to north.',
    longitude Float64
        COMMENT 'Degrees, west to east; a west greater than east crosses the 180th meridian.'
)
SQL SECURITY DEFINER
AS WITH toInt64(floor({west:Float64} * 50 - 0.000001)) AS west_cell,
        toInt64(floor(({east:Float64} + if({east:Float64} < {west:Float64}, 360, 0)) * 50
            + 0.000001)) AS east_cell
   SELECT device_id, ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude
   FROM fixes_by_place FINAL
   PREWHERE day BETWEEN toDate({since:DateTime('UTC')}) AND toDate({until:DateTime('UTC')} - 1)
     AND lat_cell BETWEEN floor({south:Float64} * 50 - 0.000001)
                      AND floor({north:Float64} * 50 + 0.000001)
     AND (lon_cell BETWEEN west_cell AND east_cell
       OR lon_cell BETWEEN west_cell - 18000 AND east_cell - 18000)
     AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
     AND lat_e7 / 1e7 BETWEEN {south:Float64} AND {north:Float64}
     AND if({west:Float64} <= {east:Float64},
            lon_e7 / 1e7 BETWEEN {west:Float64} AND {east:Float64},
            lon_e7 / 1e7 >= {west:Float64} OR lon_e7 / 1e7 <= {east:Float64})
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0
COMMENT 'Where each device was in each second, in a rectangle and a time; without fixes at 0,0.';

-- A degree of latitude is over 110 km. The span of longitudes is that of the whole circle, which is
-- all of them when a pole is in it.
CREATE VIEW IF NOT EXISTS v_fixes_near
(
    device_id  String          COMMENT 'RTT device id.',
    ts         DateTime('UTC')
        COMMENT 'When the fix was obtained, by the device''s clock, UTC seconds.',
    latitude   Float64         COMMENT 'Degrees.',
    longitude  Float64         COMMENT 'Degrees.',
    distance_m Float64         COMMENT 'Meters from the point, at most what was asked.'
)
SQL SECURITY DEFINER
AS WITH {meters:Float64} / 110000 AS lat_span,
        sin(radians(least(lat_span, 90))) / greatest(cos(radians({latitude:Float64})), 0.000001)
            AS lon_sine,
        if(abs({latitude:Float64}) + lat_span >= 90, 180, degrees(asin(least(lon_sine, 1))))
            AS lon_span,
        toInt64(floor(({longitude:Float64} - lon_span) * 50 - 0.000001)) AS west_cell,
        toInt64(floor(({longitude:Float64} + lon_span) * 50 + 0.000001)) AS east_cell
   SELECT device_id, ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude,
          toFloat64(greatCircleDistance(lon_e7 / 1e7, lat_e7 / 1e7,
              {longitude:Float64}, {latitude:Float64})) AS distance_m
   FROM fixes_by_place FINAL
   PREWHERE day BETWEEN toDate({since:DateTime('UTC')}) AND toDate({until:DateTime('UTC')} - 1)
     AND lat_cell BETWEEN floor(({latitude:Float64} - lat_span) * 50 - 0.000001)
                      AND floor(({latitude:Float64} + lat_span) * 50 + 0.000001)
     AND (lon_cell BETWEEN west_cell AND east_cell
       OR lon_cell BETWEEN west_cell + 18000 AND east_cell + 18000
       OR lon_cell BETWEEN west_cell - 18000 AND east_cell - 18000)
     AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
     AND greatCircleDistance(lon_e7 / 1e7, lat_e7 / 1e7, {longitude:Float64}, {latitude:Float64})
         <= {meters:Float64}
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0
COMMENT
    'Where each device was in each second, near a point and in a time; without fixes at 0,0.';
