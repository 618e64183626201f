-- What was promised beside what came: shipments with the place of what carries them, and planned
-- stops with the arrivals there.

-- A traceable of the type shipment is the shipment of which it has the platform's id (shipment_id
-- of the authorization) or the tracking number. Of one that was authorized again the last epoch
-- counts.
CREATE VIEW IF NOT EXISTS v_shipment_traceables
(
    traceable_type     String COMMENT 'Always shipment, as in v_delivery_locations.',
    traceable_id       String
        COMMENT 'Id of the traceable: the shipment_id or the tracking_number of this row.',
    shipment_id        String COMMENT 'Shipment id of the platform, as text.',
    tracking_number    String COMMENT 'Tracking number, as in v_shipment_last.',
    transport_order_id String COMMENT 'Identifier of the transport leg.',
    client_id          String COMMENT 'Client that authorized it: the carrier.'
)
SQL SECURITY DEFINER
AS SELECT 'shipment' AS traceable_type, traceable_id, last.2 AS shipment_id,
          last.3 AS tracking_number, last.4 AS transport_order_id, last.5 AS client_id
   FROM (SELECT traceable_id,
                argMax((epoch, shipment_id, tracking_number, transport_order_id, client_id),
                       (authorized_at, epoch)) AS last
         FROM v_authorizations
         ARRAY JOIN arrayDistinct(arrayFilter(id -> id != '', [shipment_id, tracking_number]))
             AS traceable_id
         GROUP BY traceable_id)
COMMENT 'By which ids of traceables deliveries and shipments are joined.';

CREATE VIEW IF NOT EXISTS v_shipment_places
(
    tracking_number String               COMMENT 'Tracking number, as in v_shipment_last.',
    shipment_id     String               COMMENT 'Shipment id of the platform, as text.',
    status          String
        COMMENT 'Canonical status, as in v_shipment_last; empty without a notification.',
    final           Bool                 COMMENT 'True once nothing changes any more.',
    ts              DateTime('UTC')      COMMENT 'Time of its newest place, UTC seconds.',
    latitude        Float64              COMMENT 'Degrees.',
    longitude       Float64              COMMENT 'Degrees.',
    provider        String               COMMENT 'Provider that reports what carries it.',
    external_type   String               COMMENT 'Type of the driver''s external entity.',
    external_id     String               COMMENT 'Id of the driver''s external entity.',
    client_id       String               COMMENT 'Client that reports the traceable.',
    traceable_id    String               COMMENT 'The traceable, as in v_traceable_last.'
)
SQL SECURITY DEFINER
AS SELECT s.tracking_number AS tracking_number, s.shipment_id AS shipment_id, l.status AS status,
          l.final AS final, t.ts AS ts, t.latitude AS latitude, t.longitude AS longitude,
          t.provider AS provider, t.external_type AS external_type, t.external_id AS external_id,
          t.client_id AS client_id, t.traceable_id AS traceable_id
   FROM (SELECT * FROM v_traceable_last WHERE traceable_type = 'shipment') AS t
   INNER JOIN v_shipment_traceables AS s ON s.traceable_id = t.traceable_id
   LEFT JOIN (SELECT tracking_number, status, final FROM v_shipment_last) AS l
   ON l.tracking_number = s.tracking_number
COMMENT 'Where each shipment is that a driver carries, and how it stands.';

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
-- departure: so large is a yard with the road before it, and so wrong is the place of an address. Its
-- visits are computed as those of zones.
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
          issued_at AS recorded_at, k_partition, bitNot(k_offset) AS k_rank
   FROM planned_stops;

CREATE VIEW IF NOT EXISTS v_planned_stops
(
    provider          LowCardinality(String) COMMENT 'Provider that got the route.',
    route_id          Int64                  COMMENT 'Route identifier.',
    stop_order        Float64                COMMENT 'Place of the stop in the itinerary (order).',
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

-- Which device drives a route is not told (the plates are not kept): it is the device of the
-- provider that visited most of its stops, of several the one with the least sum of lateness, either
-- way.
CREATE VIEW IF NOT EXISTS v_on_time
(
    provider          LowCardinality(String) COMMENT 'Provider that got the route.',
    route_id          Int64                  COMMENT 'Route identifier.',
    stop_order        Float64                COMMENT 'Place of the stop in the itinerary.',
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
       INNER JOIN (SELECT * FROM zone_visits WHERE startsWith(zone_id, '~')) AS v
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
          CAST(lateness_s <= 900, 'Nullable(Bool)') AS is_on_time, d.visited AS visited_stops, p.stops AS stops
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
