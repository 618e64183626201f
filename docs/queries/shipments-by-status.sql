-- Where do the shipments of each carrier stand?
-- Parameters: none.
-- Comes out: shipments by carrier, status and whether they are final.
SELECT carrier, status, final, count() AS shipments
FROM v_shipment_last
GROUP BY carrier, status, final
ORDER BY carrier, status, final
