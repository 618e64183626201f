-- What happened to a shipment, and what is the outcome of each notification?
-- Parameters: number String.
-- Comes out: its notifications in recorded order.
SELECT received_at, occurred_at, code, outcome, rule, status_before, status, final
FROM v_journeys
WHERE tracking_number = {number:String}
ORDER BY received_at, k_partition, k_offset
