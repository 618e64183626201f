-- Which tracking numbers does more than one carrier claim?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: numbers with notifications that were kept apart, whose they are, and who sent these.
SELECT tracking_number, argMax(carrier, received_at) AS owner,
       arraySort(groupUniqArray(client_id)) AS claimed_by, count() AS notifications,
       max(received_at) AS last_at
FROM v_journeys
WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
  AND outcome = 'disputed'
GROUP BY tracking_number
ORDER BY notifications DESC, tracking_number
