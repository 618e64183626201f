-- How often do carriers change the date that they estimated?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: by client: shipments with an estimate, how many of them got another, and the mean
--   hours from the first to the last of these.
SELECT client_id, count() AS shipments, countIf(estimates > 1) AS changed,
       100 * changed / shipments AS percent_changed,
       avgIf(dateDiff('second', first_estimate, last_estimate) / 3600, estimates > 1)
           AS mean_moved_hours
FROM (SELECT client_id, tracking_number, uniqExact(estimated_delivery_date) AS estimates,
             argMin(estimated_delivery_date, (received_at, k_offset)) AS first_estimate,
             argMax(estimated_delivery_date, (received_at, k_offset)) AS last_estimate
      FROM v_notifications
      WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
        AND estimated_delivery_date IS NOT NULL
      GROUP BY client_id, tracking_number)
GROUP BY client_id
ORDER BY percent_changed DESC, client_id
