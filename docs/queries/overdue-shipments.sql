-- Which shipments should have arrived by now?
-- Parameters: since DateTime('UTC') (from of receipt of the estimate), until DateTime('UTC') (the
--   time to count back from).
-- Comes out: unfinished shipments whose last estimate is over, the longest first.
SELECT l.tracking_number AS tracking_number, l.carrier AS carrier, l.status AS status,
       e.estimated_at AS estimated_at,
       dateDiff('second', e.estimated_at, {until:DateTime('UTC')}) / 3600 AS late_hours
FROM (SELECT tracking_number, carrier, status FROM v_shipment_last WHERE NOT final) AS l
INNER JOIN (SELECT tracking_number,
                   argMax(estimated_delivery_date, (received_at, k_offset)) AS estimated_at
            FROM v_notifications
            WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
              AND estimated_delivery_date IS NOT NULL
            GROUP BY tracking_number) AS e
ON l.tracking_number = e.tracking_number
WHERE e.estimated_at < {until:DateTime('UTC')}
ORDER BY estimated_at, tracking_number
