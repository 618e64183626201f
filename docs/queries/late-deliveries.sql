-- How often does each carrier deliver later than it estimated?
-- Parameters: since DateTime('UTC') (from of receipt of the delivery), until DateTime('UTC') (to
--   before).
-- Comes out: by carrier: deliveries with an estimate, how many were in time, and median and
--   greatest hours late. The last estimate counts, of those received up to 90 days before.
SELECT carrier, count() AS deliveries, countIf(late_hours <= 0) AS in_time,
       100 * in_time / deliveries AS percent_in_time,
       quantileExactInclusive(0.5)(greatest(late_hours, 0)) AS median_late_hours,
       greatest(max(late_hours), 0) AS most_late_hours
FROM (SELECT d.carrier AS carrier,
             dateDiff('second', e.estimated_at, d.delivered_at) / 3600 AS late_hours
      FROM (SELECT tracking_number, carrier, occurred_at AS delivered_at
            FROM v_journeys
            WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
              AND outcome = 'applied' AND status = 'delivered' AND final) AS d
      INNER JOIN (SELECT tracking_number,
                         argMax(estimated_delivery_date, (received_at, k_offset)) AS estimated_at
                  FROM v_notifications
                  WHERE received_at >= {since:DateTime('UTC')} - INTERVAL 90 DAY
                    AND received_at < {until:DateTime('UTC')}
                    AND estimated_delivery_date IS NOT NULL
                  GROUP BY tracking_number) AS e
      ON d.tracking_number = e.tracking_number)
GROUP BY carrier
ORDER BY percent_in_time, carrier
