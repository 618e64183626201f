-- The answers to the requests for the events of a day.
WITH
    s -> formatDateTime(toDateTime(s, 'UTC'), '%Y-%m-%dT%H:%i:%SZ') AS iso
SELECT *, 'rtt.deferred-events.v1' AS topic, 'deferred_events' AS kind,
       toString(transport) AS key, '1' AS client,
       concat('cmVx', toString(day_no), 'x', toString(d)) AS request,
       begin_s + 7800 + d % 900 AS post_s, toInt64(post_s) * 1000 + 700 AS received_ms,
       day_no * {devices:UInt32} + d AS k_offset,
       arrayMap(n -> (['harsh_braking', 'sharp_turn', 'speeding_route'][1 + (d + n) % 3],
           iso(begin_s + n * 900), iso(begin_s + n * 900 + 12), toFloat64(n * 50),
           home_lat, home_lon,
           CAST([], 'Array(Tuple(String, String))')), range(d % 4)) AS events,
       greatest(toUInt32(length(events)), 1) AS items
FROM (DEVICE_DAYS)
WHERE d % 5 = 1 AND d % 40 != 1
