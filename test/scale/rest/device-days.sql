-- Each device of the fleet on a day: where it is from and where it stops, as posts.sql makes it. It
-- stops for the last 20 minutes of each hour.
WITH
    (kind, d, at) -> (cityHash64(kind, d, at) % 30001) / 100000 - 0.15 AS h
SELECT number AS d, lower(hex(SHA256(concat('device ', toString(d))))) AS digest,
       concat(substring(digest, 1, 8), '-', substring(digest, 9, 4), '-', substring(digest, 13, 4),
           '-', substring(digest, 17, 4), '-', substring(digest, 21, 12)) AS device,
       if(d % 2 = 0, 'p0', concat('p', toString(1 + d % 9))) AS provider,
       ['BR', 'AR', 'MX', 'CO', 'CL', 'UY'][1 + d % 6] AS country,
       ['São Paulo', 'Buenos Aires', 'Ciudad de México', 'Bogotá', 'Santiago', 'Montevideo']
           [1 + d % 6] AS city,
       toInt64(1000 + d % 200) AS transport,
       [-23.5, -34.6, 19.4, 4.7, -33.4, -34.9][1 + d % 6] + h(1, d, 0) * 0.3 AS home_lat,
       [-46.6, -58.4, -99.1, -74.1, -70.6, -56.2][1 + d % 6] + h(2, d, 0) * 0.3 AS home_lon,
       cityHash64('shift', d) % 24 AS shift,
       {day:UInt32} - {first_day:UInt32} AS day_no,
       toUInt64({day:UInt32}) * 24 + shift AS first_hour, first_hour * 3600 AS begin_s,
       arrayMap(n -> first_hour + n, range(14)) AS hours,
       arrayMap(hour -> round(home_lat + h(3, d, hour + 1), 7), hours) AS stop_lats,
       arrayMap(hour -> round(home_lon + h(4, d, hour + 1), 7), hours) AS stop_lons,
       toUInt16(cityHash64(device) % 12) AS k_partition
FROM numbers({devices:UInt32})
