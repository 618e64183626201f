-- Zones as operators draw them (rastro zone), and the visits of devices there (ADR 0069).

-- Every version of every zone, and those about planned stops (0029), whose ids begin with ~. A
-- circle has no polygons, a polygon no radius. `tiles` are squares of 0.05, 0.5 or 5 degrees that
-- cover it, of the smallest size of which 400 are enough. planned_at is 2100 but for planned stops:
-- zones of operators stay.
CREATE TABLE IF NOT EXISTS zones
(
    zone_id     String                 CODEC(ZSTD(1)),
    version     UInt32                 CODEC(ZSTD(1)),
    name        String                 CODEC(ZSTD(1)),
    kind        LowCardinality(String) CODEC(ZSTD(1)),
    owner       LowCardinality(String) CODEC(ZSTD(1)),
    is_removed  Bool                   CODEC(ZSTD(1)),
    latitude    Float64                CODEC(ZSTD(1)),
    longitude   Float64                CODEC(ZSTD(1)),
    radius_m    Float64                CODEC(ZSTD(1)),
    polygons    Array(Array(Array(Tuple(Float64, Float64)))) CODEC(ZSTD(1)),
    west        Float64                CODEC(ZSTD(1)),
    south       Float64                CODEC(ZSTD(1)),
    east        Float64                CODEC(ZSTD(1)),
    north       Float64                CODEC(ZSTD(1)),
    tiles       Array(Int64)           CODEC(ZSTD(1)),
    valid_from  DateTime('UTC')        CODEC(ZSTD(1)),
    valid_to    Nullable(DateTime('UTC')) CODEC(ZSTD(1)),
    recorded_at DateTime64(3, 'UTC')   CODEC(ZSTD(1)),
    planned_at  DateTime('UTC')        CODEC(ZSTD(1)),
    k_partition UInt16                 CODEC(ZSTD(1)),
    k_rank      UInt64                 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
ORDER BY (zone_id, version)
TTL planned_at + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000;

-- A fact as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_zones
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    zone_id String,
    version UInt32,
    name String,
    kind String,
    owner String,
    state String,
    circle Tuple(latitude Float64, longitude Float64, radius_m Float64),
    polygons Array(Array(Array(Tuple(Float64, Float64)))),
    valid_from_ms Int64,
    valid_to_ms Nullable(Int64),
    at_ms Int64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_zones_to_zones TO zones AS
WITH arrayFlatten(polygons) AS points, circle.radius_m / 110500 AS high,
     high / greatest(cos(radians(least(abs(circle.latitude) + high, 89.9))), 0.001) AS wide,
     empty(polygons) AS is_circle,
     arrayFirst(size -> (toInt64(floor((north + 90) / size))
             - toInt64(floor((south + 90) / size)) + 1)
         * (toInt64(floor((east + 180) / size)) - toInt64(floor((west + 180) / size)) + 1) <= 400
         OR size = 5, [0.05, 0.5, 5]) AS tile_size
SELECT zone_id, version, name, kind, owner, state = 'removed' AS is_removed,
       if(is_circle, circle.latitude, (south + north) / 2) AS latitude,
       if(is_circle, circle.longitude, (west + east) / 2) AS longitude,
       circle.radius_m AS radius_m, polygons,
       if(is_circle, greatest(circle.longitude - wide, -180), arrayMin(points.1)) AS west,
       if(is_circle, greatest(circle.latitude - high, -90), arrayMin(points.2)) AS south,
       if(is_circle, least(circle.longitude + wide, 180), arrayMax(points.1)) AS east,
       if(is_circle, least(circle.latitude + high, 90), arrayMax(points.2)) AS north,
       arrayFlatten(arrayMap(y -> arrayMap(
               x -> toInt64(round(tile_size * 100)) * 100000000 + y * 10000 + x,
               range(toUInt32(floor((west + 180) / tile_size)),
                     toUInt32(floor((east + 180) / tile_size)) + 1)),
           range(toUInt32(floor((south + 90) / tile_size)),
                 toUInt32(floor((north + 90) / tile_size)) + 1))) AS tiles,
       toDateTime(intDiv(valid_from_ms, 1000), 'UTC') AS valid_from,
       toDateTime(intDiv(valid_to_ms, 1000), 'UTC') AS valid_to,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS recorded_at,
       toDateTime('2100-01-01 00:00:00', 'UTC') AS planned_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_zones;

-- A version holds from valid_from to valid_to, and at most until a later version begins.
CREATE VIEW IF NOT EXISTS zone_times
SQL SECURITY DEFINER
AS SELECT *,
          least(ifNull(valid_to, toDateTime(4294967295, 'UTC')),
                ifNull(minOrNull(valid_from) OVER (
                           PARTITION BY zone_id ORDER BY version
                           ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING),
                       toDateTime(4294967295, 'UTC'))) AS valid_until
   FROM zones FINAL;

CREATE VIEW IF NOT EXISTS v_zones
(
    zone_id     String                 COMMENT 'Id of the zone, as operators chose it.',
    version     UInt32                 COMMENT 'Version, from 1; the next one takes its place.',
    name        String                 COMMENT 'Name for people.',
    kind        LowCardinality(String) COMMENT 'Kind, such as depot or customer; may be empty.',
    owner       LowCardinality(String) COMMENT 'Whose zone it is; may be empty.',
    is_removed  Bool                   COMMENT 'True from when on there is no such zone.',
    valid_from  DateTime('UTC')        COMMENT 'From when on it holds, UTC.',
    valid_until DateTime('UTC')
        COMMENT 'It holds before this time, UTC; 2106 when no end is known.',
    latitude    Float64                COMMENT 'Center, of a polygon that of its box, degrees.',
    longitude   Float64                COMMENT 'Center, of a polygon that of its box, degrees.',
    radius_m    Float64                COMMENT 'Radius of a circle, meters; 0 for polygons.',
    polygons    Array(Array(Array(Tuple(Float64, Float64))))
        COMMENT
    'Polygons of rings of (longitude, latitude) in degrees, holes behind the first; or empty.',
    west        Float64                COMMENT 'Least longitude, degrees.',
    south       Float64                COMMENT 'Least latitude, degrees.',
    east        Float64                COMMENT 'Greatest longitude, degrees.',
    north       Float64                COMMENT 'Greatest latitude, degrees.',
    recorded_at DateTime64(3, 'UTC')   COMMENT 'When the version was recorded, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT zone_id, version, name, kind, owner, is_removed, valid_from, valid_until, latitude,
          longitude, radius_m, polygons, west, south, east, north, recorded_at
   FROM zone_times
   WHERE NOT startsWith(zone_id, '~')
COMMENT 'Zones with their versions and from when to when each holds.';

-- The pieces of visits of a device on one day: fixes in a zone that follow each other. `tiles` are
-- squares of 0.5 degrees where the device was, by which a changed zone finds the days it concerns.
CREATE TABLE IF NOT EXISTS visit_days
(
    device_id   String               CODEC(ZSTD(1)),
    day         Date                 CODEC(ZSTD(1)),
    pieces      Array(Tuple(
        zone_id String, enter_ts DateTime('UTC'), leave_ts DateTime('UTC'), fixes UInt32,
        silent_s UInt32, is_first Bool, is_last Bool)) CODEC(ZSTD(1)),
    tiles       Array(Int64)         CODEC(ZSTD(1)),
    computed_at DateTime64(3, 'UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(day)
ORDER BY (device_id, day)
TTL day + INTERVAL 400 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS visit_days_to_place_day_marks TO place_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, day, max(computed_at) AS visits_computed_at
   FROM visit_days
   GROUP BY device_id, day;

-- In a view on `zones` that name means the rows that come; this one means those that are there.
CREATE VIEW IF NOT EXISTS zone_boxes
SQL SECURITY DEFINER
AS SELECT zone_id, west, south, east, north FROM zones;

-- A version that is recorded marks the days from its beginning on of the devices that were near any
-- version of its zone; zones and days are compared by squares of 0.5 degrees.
CREATE MATERIALIZED VIEW IF NOT EXISTS zones_to_place_day_marks TO place_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, day, max(now64(3, 'UTC')) AS marked_at
   FROM (SELECT since, until, arrayJoin(arrayFlatten(arrayMap(y -> arrayMap(
                     x -> toInt64(50) * 100000000 + y * 10000 + x,
                     range(toUInt32(floor((box.1 + 180) / 0.5)),
                           toUInt32(floor((box.3 + 180) / 0.5)) + 1)),
                 range(toUInt32(floor((box.2 + 90) / 0.5)),
                       toUInt32(floor((box.4 + 90) / 0.5)) + 1)))) AS tile
         FROM (SELECT z.since AS since, z.until AS until,
                      arrayJoin(arrayDistinct(arrayConcat(z.boxes, o.boxes))) AS box
               FROM (SELECT zone_id, toDate(min(valid_from)) AS since,
                            toDate(max(if(startsWith(zone_id, '~'), assumeNotNull(valid_to),
                                          toDateTime(4294967295, 'UTC')))) AS until,
                            groupArray((west, south, east, north)) AS boxes
                     FROM zones GROUP BY zone_id) AS z
               LEFT JOIN (SELECT zone_id, groupArray((west, south, east, north)) AS boxes
                          FROM zone_boxes GROUP BY zone_id) AS o ON o.zone_id = z.zone_id)) AS z
   INNER JOIN (SELECT device_id, day, arrayJoin(tiles) AS tile FROM visit_days) AS d
   ON d.tile = z.tile
   WHERE day BETWEEN since AND until
   GROUP BY device_id, day;

-- The days to compute next, as in device_day_zones_due: of 10,000 as many as have 5 million fixes
-- together, and at least one. A zone marks days up to a minute before it can be seen, so days that
-- were computed meanwhile come again, last.
CREATE VIEW IF NOT EXISTS visit_days_due
SQL SECURITY DEFINER
AS WITH (
       SELECT groupArray((lot, device_id, day))
       FROM (SELECT (max(marked_at) <= max(visits_computed_at),
                     cityHash64(device_id, day, now())) AS lot, device_id, day
             FROM place_day_marks
             WHERE (device_id, day) IN (
                     SELECT device_id, day FROM place_day_marks
                     WHERE marked_at > visits_computed_at - INTERVAL 60 SECOND)
             GROUP BY device_id, day
             HAVING max(marked_at) > max(visits_computed_at) - INTERVAL 60 SECOND
             ORDER BY lot LIMIT 10000)) AS chosen
   SELECT device_id, day
   FROM (SELECT device_id, day,
                sum(fixes) OVER (ORDER BY lot, device_id, day
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS fixes_before
         FROM (SELECT lot, device_id, day, sum(bitCount(seconds)) AS fixes
               FROM (SELECT unit.1 AS lot, unit.2 AS device_id, unit.3 AS day
                     FROM (SELECT arrayJoin(chosen) AS unit)) AS units
               LEFT JOIN (
                   SELECT device_id, toDate(minute) AS day, seconds FROM device_minutes
                   WHERE frame_minutes = 0 AND minute >= toDateTime(arrayMin(chosen.3), 'UTC')
                     AND minute < toDateTime(arrayMax(chosen.3) + 1, 'UTC')
                     AND device_id IN (SELECT arrayJoin(chosen).2)) AS minutes
                   USING (device_id, day)
               GROUP BY lot, device_id, day))
   WHERE fixes_before < 5000000;

-- Of each second the least place counts, as in device_days. The fixes of a day are one array in the
-- order of time, until those near a zone are left: that takes less than a window. Two fixes in a
-- zone belong to one piece when none lies outside between them, however long the silence, or when
-- they are 120 s apart at most: a receiver at the border shows places on both sides.
CREATE VIEW IF NOT EXISTS visit_days_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, day)) FROM visit_days_due) AS due
   SELECT device_id, day, arraySort(groupArrayIf(piece, zone_id != '')) AS pieces,
          any(day_tiles) AS tiles
   FROM (
       SELECT device_id, day, zone_id, any(all_tiles) AS day_tiles,
              (zone_id, toDateTime(min(at), 'UTC'), toDateTime(max(at), 'UTC'), toUInt32(count()),
               toUInt32(sumIf(at - at0, NOT is_new AND at - at0 > 900)),
               min(n) = 1, max(n) = any(total)) AS piece
       FROM (
           SELECT *, sum(is_new) OVER (PARTITION BY device_id, day, zone_id ORDER BY at
                         ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS run
           FROM (
               SELECT *, at0 = 0 OR (n != n0 + 1 AND at - at0 > 120) AS is_new
               FROM (
                   SELECT device_id, day, at, n, total, all_tiles, zone_id,
                          lagInFrame(at, 1, 0) OVER pair AS at0, lagInFrame(n, 1, 0) OVER pair AS n0
                   FROM (
                       SELECT f.device_id AS device_id, f.day AS day, f.at AS at, f.n AS n,
                              f.total AS total, f.all_tiles AS all_tiles,
                              if(c.zone_id != '' AND if(empty(g.polygons),
                                     greatCircleDistance(f.lo, f.la, g.longitude, g.latitude)
                                         <= g.radius_m,
                                     pointInPolygon((f.lo, f.la), g.polygons)),
                                 c.zone_id, '') AS zone_id
                       FROM (
                           SELECT device_id, day, fix.1 AS at, fix.2 AS la, fix.3 AS lo, n, total,
                                  all_tiles, tile.1 AS tile_id, tile.2 AS tile_no
                           FROM (
                               SELECT device_id, day, fix, n, length(fixes) AS total, all_tiles,
                                      arrayMap((size, no) -> (
                                          toInt64(round(size * 100)) * 100000000
                                          + toInt64(floor((fix.2 + 90) / size)) * 10000
                                          + toInt64(floor((fix.3 + 180) / size)), no),
                                          [0.05, 0.5, 5], [1, 2, 3]) AS own_tiles
                               FROM (
                                   SELECT device_id, toDate(ts) AS day,
                                          arraySort(groupArray((toInt64(toUnixTimestamp(ts)),
                                              latitude, longitude))) AS sent,
                                          arrayFilter((fix, before) -> fix.1 != before.1, sent,
                                              arrayPushFront(arrayPopBack(sent),
                                                             (toInt64(-1), 0., 0.))) AS fixes,
                                          arrayDistinct(arrayMap(fix -> toInt64(50) * 100000000
                                              + toInt64(floor((fix.2 + 90) / 0.5)) * 10000
                                              + toInt64(floor((fix.3 + 180) / 0.5)), fixes))
                                              AS all_tiles
                                   FROM v_locations
                                   WHERE (toDate(ts), device_id) IN (
                                           SELECT unit.2, unit.1
                                           FROM (SELECT arrayJoin(due) AS unit))
                                     AND ts >= toDateTime(arrayMin(due.2), 'UTC')
                                     AND ts < toDateTime(arrayMax(due.2) + 1, 'UTC')
                                     AND (latitude != 0 OR longitude != 0)
                                   GROUP BY device_id, day)
                               ARRAY JOIN fixes AS fix, arrayEnumerate(fixes) AS n)
                           ARRAY JOIN own_tiles AS tile
                           -- One row of each day must stay, also of one without any zone.
                           WHERE (n = 1 AND tile_no = 1)
                              OR tile_id IN (SELECT arrayJoin(tiles) FROM zones)) AS f
                       LEFT JOIN (
                           SELECT zone_id, version, arrayJoin(tiles) AS tile_id,
                                  toInt64(toUnixTimestamp(valid_from)) AS since,
                                  toInt64(toUnixTimestamp(valid_until)) AS until,
                                  west, south, east, north
                           FROM zone_times
                           WHERE NOT is_removed AND valid_from < valid_until
                             AND valid_from < toDateTime(arrayMax(due.2) + 1, 'UTC')
                             AND valid_until > toDateTime(arrayMin(due.2), 'UTC')) AS c
                       ON c.tile_id = f.tile_id AND f.at >= c.since AND f.at < c.until
                          AND f.la >= c.south AND f.la <= c.north
                          AND f.lo >= c.west AND f.lo <= c.east
                       LEFT JOIN (SELECT zone_id, version, latitude, longitude, radius_m, polygons
                                  FROM zones FINAL) AS g
                       ON g.zone_id = c.zone_id AND g.version = c.version)
                   WHERE zone_id != '' OR n = 1
                   WINDOW pair AS (PARTITION BY device_id, day, zone_id ORDER BY at
                                   ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))))
       GROUP BY device_id, day, zone_id, run)
   GROUP BY device_id, day
   SETTINGS max_block_size = 4096;

CREATE MATERIALIZED VIEW IF NOT EXISTS visit_days_refresh
REFRESH EVERY 1 MINUTE APPEND TO visit_days EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, day, pieces, tiles, now64(3, 'UTC') AS computed_at
   FROM visit_days_now;
