-- Which authorized shipments has no carrier ever notified?
-- Parameters: since DateTime('UTC') (from of authorization), until DateTime('UTC') (to before of
--   authorization).
-- Comes out: shipments that were not cancelled either, the oldest first.
SELECT client_id, transport_order_id, shipment_id, tracking_number, authorized_at, receiver_city
FROM v_authorizations
WHERE authorized_at >= {since:DateTime('UTC')} AND authorized_at < {until:DateTime('UTC')}
  AND status = 'authorized'
  AND tracking_number NOT IN (SELECT tracking_number FROM v_journeys
                              WHERE received_at >= {since:DateTime('UTC')})
ORDER BY authorized_at, tracking_number
