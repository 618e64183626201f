-- Where is each shipment that is carried now, and how does it stand?
-- Parameters: since DateTime('UTC') (located since).
-- Comes out: a row for each shipment: number, status, newest time and place, driver.
SELECT tracking_number, status, ts, latitude, longitude, provider, external_id
FROM v_shipment_places
WHERE ts >= {since:DateTime('UTC')} AND NOT final
ORDER BY tracking_number, client_id, traceable_id
