-- Two shipments of each device and day. Some are refused, cancelled, never notified or a test.
SELECT *, n, (day_no * {devices:UInt32} + d) * 2 + n AS i, toString(4000000 + i) AS shipment_id,
       concat('T', toString(4000000 + i)) AS number, concat('order-', toString(i)) AS order_id,
       concat('carrier-', toString(d % 5)) AS client, i % 17 = 5 AS is_refused,
       i % 29 = 3 AS is_test, i % 13 = 4 AND NOT is_refused AS is_cancelled,
       NOT is_refused AND NOT is_cancelled AND i % 19 != 11 AS is_notified,
       toInt64(begin_s - 10800 + i % 3600) * 1000 AS asked_ms
FROM (DEVICE_DAYS)
ARRAY JOIN [0, 1] AS n
