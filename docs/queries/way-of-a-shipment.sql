-- Which way did a shipment take with its drivers?
-- Parameters: number String (its tracking number), since DateTime('UTC') (from),
--   until DateTime('UTC') (to before).
-- Comes out: its places in the order of time, with the driver.
SELECT l.ts AS ts, l.latitude AS latitude, l.longitude AS longitude, l.provider AS provider,
       l.external_id AS external_id
FROM v_delivery_locations AS l
INNER JOIN v_shipment_traceables AS s
ON s.traceable_type = l.traceable_type AND s.traceable_id = l.traceable_id
WHERE s.tracking_number = {number:String} AND l.ts >= {since:DateTime('UTC')}
  AND l.ts < {until:DateTime('UTC')}
ORDER BY ts, external_id
