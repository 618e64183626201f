-- Which shipments have stood still for days?
-- Parameters: since DateTime('UTC') (from of last receipt), until DateTime('UTC') (the time to
--   count back from), hours UInt32 (hours).
-- Comes out: unfinished shipments of which nothing was received for so long, the longest first.
SELECT tracking_number, carrier, status, code, last_received_at,
       dateDiff('second', last_received_at, {until:DateTime('UTC')}) / 3600 AS silent_hours
FROM v_shipment_last
WHERE NOT final AND last_received_at >= {since:DateTime('UTC')}
  AND last_received_at < {until:DateTime('UTC')} - toIntervalHour({hours:UInt32})
ORDER BY last_received_at, tracking_number
