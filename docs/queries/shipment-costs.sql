-- What do shipments cost by their carriers, and for which weight?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: shipments by client with their last costs, in all, each, and for a kilogram.
SELECT client_id, count() AS shipments, sum(last.1) AS cost, cost / shipments AS mean_cost,
       sum(last.2) / 1000 AS kilograms,
       sumIf(last.1, last.2 > 0) / nullIf(kilograms, 0) AS cost_per_kilogram
FROM (SELECT client_id, tracking_number,
             argMax((assumeNotNull(cost), ifNull(weight, 0)), (received_at, k_offset)) AS last
      FROM v_notifications
      WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
        AND cost IS NOT NULL
      GROUP BY client_id, tracking_number)
GROUP BY client_id
ORDER BY cost DESC, client_id
