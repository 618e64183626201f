-- A depot for every eighth zone, else a customer where a device stops, a circle or a hexagon;
-- behind these an area for each city. Every tenth has a second version with twice the radius from
-- the middle of the month on, and some are removed a week before its end.
INSERT INTO in_zones
SELECT ('', 'operator', '', '', 0, at_ms, 0, k * 4 + version), zone_id, version,
       concat(upper(kind), ' ', toString(k)), kind, 'acme', state, circle,
       if(is_circle, [], [[arrayMap(n -> (lon + radius_m / 90000 * cos(n * pi() / 3),
           lat + radius_m / 110500 * sin(n * pi() / 3)), range(7))]]),
       since_ms, NULL, at_ms
FROM (
    SELECT k, version,
           multiIf(k >= {zones:UInt32}, 'area', k % 8 = 1, 'depot', 'customer') AS kind,
           concat(kind, '-', leftPad(toString(k), 3, '0')) AS zone_id,
           if(version = 3, 'removed', 'active') AS state,
           (kind != 'customer' OR k % 2 = 0) AND kind != 'area' AS is_circle,
           if(kind = 'customer', stop_lats[place], home_lat) AS lat,
           if(kind = 'customer', stop_lons[place], home_lon) AS lon,
           multiIf(kind = 'area', 5000., kind = 'depot', 800., 150. + cityHash64(k) % 350)
               * if(version = 2, 2, 1) AS radius_m,
           if(is_circle, (lat, lon, radius_m), (0., 0., 0.)) AS circle,
           toInt64({first_day:UInt32} + [0, -30, 15, 23][1 + version]) * 86400000 AS since_ms,
           since_ms - 3600000 AS at_ms
    FROM (SELECT number AS k, k % {devices:UInt32} AS d, 1 + intDiv(k, 8) % 2 AS place
          FROM numbers({zones:UInt32} + 6)) AS z
    INNER JOIN (DEVICE_DAYS) AS f ON f.d = z.d
    ARRAY JOIN arrayConcat([1], if(k % 10 = 3, [2], []), if(k % 25 = 7, [3], [])) AS version)
