-- Posts of the devices {from} to {to} that begin on a day, with what the tables need. Half of all
-- devices are of provider p0, the others of nine more. A shift begins at another hour for each
-- device, so that some trips cross midnight. Every hour a device drives for 40 minutes to another
-- place within 15 km of its own. Then it is at a stop for 20, with up to 10 m of noise. One post of
-- a hundred comes a day late, and one of two hundred twice.
WITH
    -- From -0.15 to 0.15, another number for each kind, device and time: some 15 km.
    (kind, d, at) -> (cityHash64(kind, d, at) % 30001) / 100000 - 0.15 AS h
SELECT d, post, repeat, {fixes:UInt32} AS fixes, {first_day:UInt32} AS first_day,
       lower(hex(SHA256(concat('device ', toString(d))))) AS digest,
       concat(substring(digest, 1, 8), '-', substring(digest, 9, 4), '-', substring(digest, 13, 4),
           '-', substring(digest, 17, 4), '-', substring(digest, 21, 12)) AS device,
       if(d % 2 = 0, 'p0', concat('p', toString(1 + d % 9))) AS provider,
       ['BR', 'AR', 'MX', 'CO', 'CL', 'UY'][1 + d % 6] AS country,
       [-23.5, -34.6, 19.4, 4.7, -33.4, -34.9][1 + d % 6] + h(1, d, 0) * 0.3 AS home_lat,
       [-46.6, -58.4, -99.1, -74.1, -70.6, -56.2][1 + d % 6] + h(2, d, 0) * 0.3 AS home_lon,
       toUInt32({day:UInt32} * 86400 + (cityHash64('shift', d) % 24) * 3600
           + post * fixes * {step:UInt32}) AS first_s,
       first_s + (fixes - 1) * {step:UInt32} AS last_s,
       toInt64(last_s) * 1000 + 2000 + repeat * 30000
           + if(cityHash64('late', d, first_s) % 100 = 0, 93600000, 0) AS received_ms,
       toUInt16(cityHash64(device) % 12) AS k_partition,
       (toUInt64({day:UInt32} - first_day) * {devices:UInt32} + d) * {posts:UInt32} + post
           + repeat * toUInt64(1000000000000) AS k_offset,
       arrayMap(i -> first_s + i * {step:UInt32}, range(fixes)) AS times,
       arrayMap(t -> least((t % 3600) / 2400, 1), times) AS parts,
       arrayMap((t, part) -> round(home_lat + h(3, d, intDiv(t, 3600)) * (1 - part)
           + h(3, d, intDiv(t, 3600) + 1) * part + h(5, d, t) * 0.0006, 7), times, parts) AS lats,
       arrayMap((t, part) -> round(home_lon + h(4, d, intDiv(t, 3600)) * (1 - part)
           + h(4, d, intDiv(t, 3600) + 1) * part + h(6, d, t) * 0.0006, 7), times, parts) AS lons
FROM (SELECT {from:UInt32} + intDiv(number, {posts:UInt32}) AS d, number % {posts:UInt32} AS post
      FROM numbers(({to:UInt32} - {from:UInt32}) * {posts:UInt32}))
ARRAY JOIN if(cityHash64('twice', d, post, {day:UInt32}) % 200 = 0, [0, 1], [0]) AS repeat
