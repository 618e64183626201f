-- Which share of planned stops did each provider reach on time?
-- Parameters: since DateTime('UTC') (planned from), until DateTime('UTC') (planned to before).
-- Comes out: a row for each provider: stops, those reached, those reached at most 15 minutes late
--   and their percent of all, median of minutes late.
SELECT provider, count() AS planned, countIf(arrived_at IS NOT NULL) AS reached,
       countIf(is_on_time) AS on_time, 100 * on_time / planned AS percent,
       quantileExactInclusive(0.5)(lateness_s) / 60 AS median_minutes_late
FROM v_on_time
WHERE planned_arrival >= {since:DateTime('UTC')} AND planned_arrival < {until:DateTime('UTC')}
GROUP BY provider
ORDER BY provider
