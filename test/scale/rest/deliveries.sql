-- Every fourth device carries its two shipments: a post of five fixes each 20 minutes. The first
-- post of one day of fifty has a fix of years ago.
WITH
    (kind, d, at) -> (cityHash64(kind, d, at) % 30001) / 100000 - 0.15 AS h
SELECT *, 'delivery.locations.v1' AS topic, 'delivery_locations' AS kind,
       concat('acme|driver|', driver) AS key, 'acme' AS client,
       toUInt32(length(fixes) * 2) AS items,
       arrayMax(times) AS post_s, toInt64(post_s) * 1000 + 2500 AS received_ms,
       (day_no * {devices:UInt32} + d) * 42 + post AS k_offset
FROM (
    SELECT *, post, concat('driver-', toString(d)) AS driver,
           (day_no * {devices:UInt32} + d) * 2 + 4000000 AS own,
           [(toString(own), 'shipment'), (concat('T', toString(own + 1)), 'shipment')] AS carried,
           arrayMap(n -> begin_s + post * 1200 + n * 240, range(5)) AS times,
           arrayMap((s, part) -> (
               toFloat64(if(post = 0 AND s = begin_s AND (d + day_no) % 50 = 0, 1000000000, s)),
               home_lat + h(3, d, intDiv(s, 3600)) * (1 - part)
                   + h(3, d, intDiv(s, 3600) + 1) * part,
               home_lon + h(4, d, intDiv(s, 3600)) * (1 - part)
                   + h(4, d, intDiv(s, 3600) + 1) * part,
               NULL, 8., NULL, NULL, [], ('', ''), []), times,
               arrayMap(s -> least((s % 3600) / 2400, 1), times)) AS fixes
    FROM (DEVICE_DAYS)
    ARRAY JOIN range(42) AS post
    WHERE d % 4 = 0)
