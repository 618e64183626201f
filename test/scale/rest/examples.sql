-- What questions about one thing ask for on a day, so that there is something to answer. It is a
-- device with a gap that drives at noon, a place where one is at noon, a shipment that is carried,
-- and a route of p1.
WITH
    (SELECT device FROM (DEVICE_DAYS) ORDER BY shift NOT IN (11, 12), shift NOT BETWEEN 12 AND 20, d
     LIMIT 1) AS one,
    (SELECT (stop_lats[at], stop_lons[at])
     FROM (SELECT *, indexOf(hours, toUInt64({day:UInt32}) * 24 + 11) AS at FROM (DEVICE_DAYS))
     WHERE at BETWEEN 1 AND 13 ORDER BY d LIMIT 1) AS place,
    (SELECT (shipment_id, number) FROM (SHIPMENTS)
     WHERE is_notified AND NOT is_test AND n = 0 AND d % 4 = 0 ORDER BY shift > 12, d LIMIT 1)
        AS shipment
SELECT map('device', one, 'latitude', toString(place.1), 'longitude', toString(place.2),
           'id', shipment.1, 'number', shipment.2, 'route', toString(route)) AS examples
FROM (ROUTES)
WHERE provider = 'p1' AND route % 50 != 30
ORDER BY d LIMIT 1
