-- A planned route for two of forty devices on each day: five of their stops, with a plan that is up
-- to 15 minutes late or up to 45 early. One of fifty is cancelled.
WITH
    s -> formatDateTime(toDateTime(s, 'UTC'), '%Y-%m-%dT%H:%i:%SZ') AS iso
SELECT *, day_no * {devices:UInt32} + d AS route, begin_s - 36000 AS at_s,
       arrayMap(n -> hours[n * 2] * 3600 + 2400 + 900 - cityHash64('plan', d, hours[n]) % 3600,
                range(1, 6)) AS arrivals,
       (toInt64(route), toInt64(route * 10), country, tuple(toInt64(d % 7)),
        arrayMap((n, s) -> (toFloat64(n), iso(s), iso(s + 1200),
            (concat('F', toString(d), '-', toString(n)),
             tuple((stop_lats[n * 2], stop_lons[n * 2])))), range(1, 6), arrivals))
           AS planned
FROM (DEVICE_DAYS)
WHERE d % 40 IN (0, 9)
