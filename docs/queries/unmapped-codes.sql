-- Which codes of carriers do we not know?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: codes without a status by client, how often and of how many shipments they came.
SELECT client_id, code, carrier_code, count() AS notifications,
       uniqExact(tracking_number) AS shipments, min(received_at) AS first_at,
       max(received_at) AS last_at
FROM v_journeys
WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')} AND unmapped
GROUP BY client_id, code, carrier_code
ORDER BY notifications DESC, client_id, code, carrier_code
