-- How long do shipments take from the first notification to the final one?
-- Parameters: none.
-- Comes out: finished shipments by carrier, with median and greatest hours.
SELECT carrier, count() AS shipments,
       quantileExactInclusive(0.5)(dateDiff('minute', first_at, last_at)) / 60 AS median_hours,
       max(dateDiff('minute', first_at, last_at)) / 60 AS most_hours
FROM (SELECT tracking_number, any(carrier) AS carrier, min(occurred_at) AS first_at,
             minIf(occurred_at, final) AS last_at, max(final) AS is_over
      FROM v_journeys
      WHERE outcome = 'applied'
      GROUP BY tracking_number)
WHERE is_over
GROUP BY carrier
ORDER BY carrier
