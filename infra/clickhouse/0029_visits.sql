-- Visits of zones, and the visits of planned stops: what was planned beside what came.

-- Pieces go together over midnight by the same rule: the days of a device are numbered, so that a
-- day without a fix in the zone, but with others, ends the visit. Visits of less than 60 s are
-- none: that is passing by. Pieces of planned stops are many: either they are read, or the others.
CREATE VIEW IF NOT EXISTS zone_visits
SQL SECURITY DEFINER
AS SELECT device_id, zone_id, visit[1].1 AS enter_ts, arrayMax(p -> p.2, visit) AS leave_ts,
          toUInt32(leave_ts - enter_ts) AS dwell_s, arraySum(p -> p.4, visit) AS silent_s,
          arraySum(p -> p.3, visit) AS fixes, arrayMax(p -> p.5, visit) AS is_open
   FROM (
       SELECT device_id, zone_id,
              arraySort(groupArray((enter, leave, n, own_silent, open, is_first, is_last, day_no)))
                  AS all_pieces,
              arrayShiftRight(all_pieces, 1) AS before,
              arrayMap((p, b) -> b.8 = 0 OR NOT (
                           toInt64(p.1) - toInt64(b.2) <= 120 OR (p.6 AND b.7 AND p.8 = b.8 + 1)),
                       all_pieces, before) AS news,
              arrayMap((p, b, is_new) -> (p.1, p.2, p.3,
                           p.4 + if(NOT is_new AND p.1 - b.2 > 900, toUInt64(p.1 - b.2), 0), p.5),
                       all_pieces, before, news) AS judged,
              arrayJoin(arraySplit((p, is_new) -> is_new, judged, news)) AS visit
       FROM (
           SELECT device_id, day_no, piece.zone_id AS zone_id, piece.enter_ts AS enter,
                  piece.leave_ts AS leave, toUInt64(piece.fixes) AS n,
                  toUInt64(piece.silent_s) AS own_silent, piece.is_first AS is_first,
                  piece.is_last AS is_last, is_newest AND piece.is_last AS open
           FROM (SELECT device_id, day_no, is_newest,
                        arrayJoin(arrayFilter(
                            p -> startsWith(p.zone_id, '~') = {planned:Bool}, pieces)) AS piece
                 FROM (SELECT device_id, pieces,
                              row_number() OVER (PARTITION BY device_id ORDER BY day) AS day_no,
                              day = max(day) OVER (PARTITION BY device_id) AS is_newest
                       FROM visit_days FINAL
                       SETTINGS do_not_merge_across_partitions_select_final = 1)))
       GROUP BY device_id, zone_id)
   WHERE dwell_s >= 60;

CREATE VIEW IF NOT EXISTS v_visits
(
    device_id  String          COMMENT 'RTT device id.',
    zone_id    String          COMMENT 'Zone, as in v_zones.',
    enter_ts   DateTime('UTC') COMMENT 'Time of the first fix in the zone, UTC seconds.',
    leave_ts   DateTime('UTC') COMMENT 'Time of the last fix in the zone, UTC seconds.',
    dwell_s    UInt32          COMMENT 'From the first to the last fix in the zone, seconds.',
    silent_s   UInt64
        COMMENT 'Seconds of these in silences of over 15 minutes, after which it still was there.',
    fixes      UInt64          COMMENT 'Seconds with a fix in the zone.',
    is_open    Bool            COMMENT 'True when the newest fix of the device is in the zone.'
)
SQL SECURITY DEFINER
AS SELECT device_id, zone_id, enter_ts, leave_ts, dwell_s, silent_s, fixes, is_open
   FROM {database}.zone_visits(planned = false)
COMMENT
    'Visits to zones of 60 s or more, absences of up to 120 s included; late fixes correct them.';

CREATE VIEW IF NOT EXISTS v_dwell
(
    zone_id      String                 COMMENT 'Zone, as in v_zones.',
    name         String                 COMMENT 'Name of the newest version of the zone.',
    kind         LowCardinality(String) COMMENT 'Kind of the newest version of the zone.',
    day          Date                   COMMENT 'Day, UTC.',
    devices      UInt64                 COMMENT 'Devices that were there on the day.',
    visits       UInt64                 COMMENT 'Visits that began on the day.',
    dwell_s      UInt64                 COMMENT 'Seconds of all visits that lie on the day.',
    dwell_max_s  UInt64                 COMMENT 'The longest of these stays on the day, seconds.'
)
SQL SECURITY DEFINER
AS SELECT v.zone_id AS zone_id, any(z.name) AS name, any(z.kind) AS kind, v.day AS day,
          uniqExact(v.device_id) AS devices, countIf(v.day = toDate(v.enter_ts)) AS visits,
          sum(v.stay_s) AS dwell_s, max(v.stay_s) AS dwell_max_s
   FROM (SELECT device_id, zone_id, enter_ts,
                arrayJoin(arrayMap(n -> toDate(enter_ts) + n,
                    range(toUInt32(toDate(leave_ts) - toDate(enter_ts)) + 1))) AS day,
                toUInt64(least(toInt64(leave_ts), toInt64(toDateTime(day + 1, 'UTC')))
                    - greatest(toInt64(enter_ts), toInt64(toDateTime(day, 'UTC')))) AS stay_s
         FROM v_visits) AS v
   LEFT JOIN (SELECT zone_id, argMax(name, version) AS name, argMax(kind, version) AS kind
              FROM zones GROUP BY zone_id) AS z
   ON z.zone_id = v.zone_id
   GROUP BY zone_id, day
COMMENT 'How long devices were in each zone, by UTC day.';

-- The joins copy each visit for every trip, so zones are numbers in them, in the order of size.
CREATE VIEW IF NOT EXISTS v_od
(
    hour             DateTime('UTC') COMMENT 'Hour in which the trips began, UTC.',
    local_day        Date            COMMENT 'The same by the local clock of the device.',
    local_hour       UInt8           COMMENT 'Hour of the local clock, 0 to 23.',
    origin_zone      String
        COMMENT 'Zone that was visited where the trips began, of several the smallest; or empty.',
    destination_zone String          COMMENT 'The same where they ended.',
    origin_h3        UInt64
        COMMENT 'H3 cell of resolution 7 (about 5 square kilometers) where they began.',
    destination_h3   UInt64          COMMENT 'The same where they ended.',
    devices          UInt64          COMMENT 'Devices that made these trips.',
    trips            UInt64          COMMENT 'Whole trips, as in v_local_trips.',
    distance_m       Float64         COMMENT 'Meters of all of them.',
    duration_s       UInt64          COMMENT 'Seconds of all of them.'
)
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(zone_id)
         FROM (SELECT zone_id FROM zones GROUP BY zone_id
               ORDER BY argMax((east - west) * (north - south), version), zone_id)) AS by_size,
     day_visits AS (
       SELECT device_id, on_day, groupArray((size_rank, enter_ts, leave_ts)) AS visits
       FROM (SELECT v.device_id AS device_id, z.size_rank AS size_rank, v.enter_ts AS enter_ts,
                    v.leave_ts AS leave_ts,
                    arrayJoin(arrayMap(n -> toDate(v.enter_ts) + n,
                        range(toUInt32(toDate(v.leave_ts) - toDate(v.enter_ts)) + 1))) AS on_day
             FROM v_visits AS v
             INNER JOIN (SELECT n AS size_rank, by_size[n] AS zone_id
                         FROM (SELECT arrayJoin(arrayEnumerate(by_size)) AS n)) AS z
             ON z.zone_id = v.zone_id)
       GROUP BY device_id, on_day)
   SELECT toStartOfHour(t.start_ts) AS hour, t.local_day AS local_day,
          toHour(t.local_start) AS local_hour,
          by_size[arrayMin(arrayFilter(v -> t.start_ts BETWEEN v.2 AND v.3, o.visits)).1]
              AS origin_zone,
          by_size[arrayMin(arrayFilter(v -> t.end_ts BETWEEN v.2 AND v.3, d.visits)).1]
              AS destination_zone,
          geoToH3(t.start_latitude, t.start_longitude, 7) AS origin_h3,
          geoToH3(t.end_latitude, t.end_longitude, 7) AS destination_h3,
          uniqExact(t.device_id) AS devices, count() AS trips, sum(t.distance_m) AS distance_m,
          sum(toUInt64(t.duration_s)) AS duration_s
   FROM v_local_trips AS t
   LEFT JOIN day_visits AS o ON o.device_id = t.device_id AND o.on_day = toDate(t.start_ts)
   LEFT JOIN day_visits AS d ON d.device_id = t.device_id AND d.on_day = toDate(t.end_ts)
   GROUP BY hour, local_day, local_hour, origin_zone, destination_zone, origin_h3, destination_h3
COMMENT 'Whole trips by hour between zones and H3 cells.';

-- A stop of a planned route, as the newest command about the route says. Of a facility only id and
-- place are kept, of vehicles and persons nothing.
CREATE TABLE IF NOT EXISTS planned_stops
(
    provider          LowCardinality(String) CODEC(ZSTD(1)),
    route_id          Int64                  CODEC(ZSTD(1)),
    stop_order        Float64                CODEC(ZSTD(1)),
    is_cancelled      Bool                   CODEC(ZSTD(1)),
    rostering_id      Int64                  CODEC(ZSTD(1)),
    carrier_id        Int64                  CODEC(ZSTD(1)),
    country_id        LowCardinality(String) CODEC(ZSTD(1)),
    facility_id       String                 CODEC(ZSTD(1)),
    latitude          Float64                CODEC(ZSTD(1)),
    longitude         Float64                CODEC(ZSTD(1)),
    planned_arrival   DateTime('UTC')        CODEC(ZSTD(1)),
    planned_departure DateTime('UTC')        CODEC(ZSTD(1)),
    command_id        String                 CODEC(ZSTD(1)),
    issued_at         DateTime64(3, 'UTC')   CODEC(ZSTD(1)),
    k_partition       UInt16                 CODEC(ZSTD(1)),
    k_offset          UInt64                 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(issued_at)
ORDER BY (provider, route_id, stop_order)
TTL toDateTime(issued_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_commands_to_planned_stops TO planned_stops AS
WITH arrayMap(text -> parseDateTimeBestEffortOrZero(replaceRegexpOne(
         replaceOne(upper(text), ',', '.'), '(T\\d\\d:\\d\\d)([Z+-])', '\\1:00\\2'), 'UTC'),
         [stop.estimated_time_arrival, stop.estimated_time_departure]) AS times
SELECT provider, route.route_id AS route_id, stop.order AS stop_order,
       command = 'cancel_planned_routes' AS is_cancelled, route.rostering_id AS rostering_id,
       route.carrier.id AS carrier_id, route.country_id AS country_id,
       stop.facility.id AS facility_id,
       stop.facility.address.geolocation.latitude AS latitude,
       stop.facility.address.geolocation.longitude AS longitude,
       times[1] AS planned_arrival,
       times[2] AS planned_departure,
       command_id, fromUnixTimestamp64Milli(at_ms, 'UTC') AS issued_at,
       m.kp AS k_partition, m.ko AS k_offset
FROM (SELECT m, provider, command_id, at_ms, body.command AS command,
             arrayJoin(body.planned_routes) AS route
      FROM in_commands)
ARRAY JOIN route.stops AS stop;

-- A circle of 250 m about each stop, from 12 hours before its arrival to 12 hours after its
-- departure: so large is a yard with the road before it, and so wrong is the place of an address.
-- Its visits are computed as those of zones.
CREATE MATERIALIZED VIEW IF NOT EXISTS planned_stops_to_zones TO zones
SQL SECURITY DEFINER
AS WITH 250 / 110500 AS high,
        high / greatest(cos(radians(least(abs(latitude) + high, 89.9))), 0.001) AS wide
   SELECT concat('~', provider, '/', toString(route_id), '/', toString(stop_order)) AS zone_id,
          toUInt32(toUnixTimestamp(toDateTime(issued_at))) AS version, facility_id AS name,
          'planned_stop' AS kind, provider AS owner, is_cancelled AS is_removed, latitude,
          longitude,
          250. AS radius_m, CAST([], 'Array(Array(Array(Tuple(Float64, Float64))))') AS polygons,
          greatest(longitude - wide, -180) AS west,
          greatest(latitude - high, -90) AS south, least(longitude + wide, 180) AS east,
          least(latitude + high, 90) AS north,
          arrayFlatten(arrayMap(y -> arrayMap(x -> toInt64(5) * 100000000 + y * 10000 + x,
                  range(toUInt32(floor((west + 180) / 0.05)),
                        toUInt32(floor((east + 180) / 0.05)) + 1)),
              range(toUInt32(floor((south + 90) / 0.05)),
                    toUInt32(floor((north + 90) / 0.05)) + 1))) AS tiles,
          planned_arrival - 43200 AS valid_from,
          toNullable(greatest(planned_arrival, planned_departure) + 43200) AS valid_to,
          issued_at AS recorded_at, toDateTime(issued_at, 'UTC') AS planned_at, k_partition,
          bitNot(k_offset) AS k_rank
   FROM planned_stops;

CREATE VIEW IF NOT EXISTS v_planned_stops
(
    provider          LowCardinality(String) COMMENT 'Provider that got the route.',
    route_id          Int64                  COMMENT 'Route identifier.',
    stop_order        Float64                COMMENT 'Order of the stop, as sent.',
    is_cancelled      Bool
        COMMENT 'True when the newest command about the route cancelled it.',
    rostering_id      Int64                  COMMENT 'Rostering identifier.',
    carrier_id        Int64                  COMMENT 'Carrier identifier.',
    country_id        LowCardinality(String) COMMENT 'Country of the route as sent.',
    facility_id       String                 COMMENT 'Facility identifier.',
    latitude          Float64                COMMENT 'Of the facility, degrees.',
    longitude         Float64                COMMENT 'Of the facility, degrees.',
    planned_arrival   DateTime('UTC')        COMMENT 'Estimated arrival, UTC seconds.',
    planned_departure DateTime('UTC')        COMMENT 'Estimated departure, UTC seconds.',
    command_id        String                 COMMENT 'Newest command about it, as in v_commands.',
    issued_at         DateTime64(3, 'UTC')   COMMENT 'When that was issued, UTC milliseconds.',
    k_partition       UInt16                 COMMENT 'Partition of the log that holds it.',
    k_offset          UInt64                 COMMENT 'Offset of the command in that partition.'
)
SQL SECURITY DEFINER
AS SELECT provider, route_id, stop_order, is_cancelled, rostering_id, carrier_id, country_id,
          facility_id, latitude, longitude, planned_arrival, planned_departure, command_id,
          issued_at, k_partition, k_offset
   FROM planned_stops FINAL
COMMENT 'Stops of planned routes with places and planned times; no plates, no persons.';

-- Nothing says which device drives a route, because plates are not kept. It is the device of the
-- provider that visited most of its stops, of several the one with the least sum of lateness,
-- either way.
CREATE VIEW IF NOT EXISTS v_on_time
(
    provider          LowCardinality(String) COMMENT 'Provider that got the route.',
    route_id          Int64                  COMMENT 'Route identifier.',
    stop_order        Float64                COMMENT 'Order of the stop, as sent.',
    facility_id       String                 COMMENT 'Facility identifier.',
    planned_arrival   DateTime('UTC')        COMMENT 'Estimated arrival, UTC seconds.',
    planned_departure DateTime('UTC')        COMMENT 'Estimated departure, UTC seconds.',
    device_id         String
        COMMENT 'Device of the provider that visited most stops of the route; empty when none did.',
    arrived_at        Nullable(DateTime('UTC'))
        COMMENT 'Its first fix within 250 meters, of its visit nearest to the plan; NULL without.',
    left_at           Nullable(DateTime('UTC')) COMMENT 'Its last fix of that visit, UTC seconds.',
    lateness_s        Nullable(Int64)
        COMMENT 'Arrival after the planned one, seconds; negative when it was early.',
    is_on_time        Nullable(Bool)
        COMMENT 'True when it came at most 15 minutes late; NULL when it did not come (yet).',
    visited_stops     UInt64                 COMMENT 'Stops of the route that the device visited.',
    stops             UInt64                 COMMENT 'Stops of the route.'
)
SQL SECURITY DEFINER
AS WITH arrivals AS (
       SELECT p.provider AS provider, p.route_id AS route_id, p.stop_order AS stop_order,
              v.device_id AS device,
              argMin((v.enter_ts, v.leave_ts),
                  (abs(toInt64(v.enter_ts) - toInt64(p.planned_arrival)), v.enter_ts)) AS visit,
              min(abs(toInt64(v.enter_ts) - toInt64(p.planned_arrival))) AS off_s
       FROM (SELECT *, concat('~', provider, '/', toString(route_id), '/', toString(stop_order))
                 AS zone_id
             FROM planned_stops FINAL WHERE NOT is_cancelled) AS p
       INNER JOIN {database}.zone_visits(planned = true) AS v
       ON v.zone_id = p.zone_id
       WHERE (v.device_id, toString(p.provider)) IN (
           SELECT device_id, toString(provider) FROM device_day_zones)
       GROUP BY provider, route_id, stop_order, device)
   SELECT p.provider AS provider, p.route_id AS route_id, p.stop_order AS stop_order,
          p.facility_id AS facility_id, p.planned_arrival AS planned_arrival,
          p.planned_departure AS planned_departure, d.device AS device_id,
          if(a.device = '', NULL, a.visit.1) AS arrived_at,
          if(a.device = '', NULL, a.visit.2) AS left_at,
          toInt64(arrived_at) - toInt64(p.planned_arrival) AS lateness_s,
          CAST(lateness_s <= 900, 'Nullable(Bool)') AS is_on_time,
          d.visited AS visited_stops, p.stops AS stops
   FROM (SELECT *, count() OVER (PARTITION BY provider, route_id) AS stops
         FROM planned_stops FINAL WHERE NOT is_cancelled) AS p
   LEFT JOIN (SELECT provider, route_id, tupleElement(best, 1) AS device,
                     tupleElement(best, 2) AS visited
              FROM (SELECT provider, route_id,
                           argMin((device, visited), (-toInt64(visited), off, device)) AS best
                    FROM (SELECT provider, route_id, device, count() AS visited, sum(off_s) AS off
                          FROM arrivals GROUP BY provider, route_id, device)
                    GROUP BY provider, route_id)) AS d
   ON d.provider = p.provider AND d.route_id = p.route_id
   LEFT JOIN arrivals AS a
   ON a.provider = p.provider AND a.route_id = p.route_id AND a.stop_order = p.stop_order
      AND a.device = d.device
COMMENT 'Planned stops beside the actual arrivals there.';
