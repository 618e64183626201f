-- Which carriers send notifications that change nothing?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: percent of notifications by client and outcome.
SELECT client_id, outcome, count() AS notifications,
       100 * notifications / sum(count()) OVER (PARTITION BY client_id) AS percent
FROM v_journeys
WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
GROUP BY client_id, outcome
ORDER BY client_id, outcome
