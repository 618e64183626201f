-- A post of one to six driving events of each device and day. One post of a hundred comes twice,
-- and one post of fifty has an event at a time that no clock in use shows.
WITH
    s -> formatDateTime(toDateTime(s, 'UTC'), '%Y-%m-%dT%H:%i:%SZ') AS iso,
    ['harsh_braking', 'harsh_acceleration', 'unfastened_seatbelt', 'sharp_turn', 'speeding_route',
     'speeding_ops'] AS names
SELECT *, 'rtt.telemetry-events.v1' AS topic, 'telemetry_events' AS kind, device AS key,
       '1' AS client, toUInt32(length(events)) AS items,
       arrayMax(times) + 60 AS post_s,
       toInt64(post_s) * 1000 + 1500 + repeat * 45000 AS received_ms,
       toUInt64(day_no * {devices:UInt32} + d) + repeat * toUInt64(1000000000) AS k_offset
FROM (
    SELECT *, arrayMap(n -> begin_s + cityHash64('event', d, {day:UInt32}, n) % 50400,
                       range(1 + cityHash64('events', d, {day:UInt32}) % 6)) AS times,
           arrayMap((s, n) -> (names[1 + cityHash64('name', d, s) % 6],
               if(n = 1 AND (d + day_no) % 50 = 7, '1980-01-06T00:00:00Z', iso(s)),
               iso(s + 5 + cityHash64('long', d, s) % 60), toFloat64(cityHash64('far', s) % 900),
               home_lat + cityHash64('lat', s) % 2000 / 10000,
               home_lon + cityHash64('lon', s) % 2000 / 10000, toString(s), '', NULL,
               [('speed_limit', '80')]), times, arrayEnumerate(times)) AS events
    FROM (DEVICE_DAYS))
ARRAY JOIN if(cityHash64('repeat', d, {day:UInt32}) % 100 = 0, [0, 1], [0]) AS repeat
