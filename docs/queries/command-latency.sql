-- How long do commands take until their end?
-- Parameters: since DateTime('UTC') (from of issue), until DateTime('UTC') (to before of issue).
-- Comes out: ended commands by provider, command and end, with attempts for each, median, 95 of 100
--   and greatest seconds.
SELECT provider, command, state, count() AS commands, avg(attempts) AS mean_attempts,
       quantileExactInclusive(0.5)(latency_s) AS median_s,
       quantileExactInclusive(0.95)(latency_s) AS p95_s, max(latency_s) AS most_s
FROM v_commands
WHERE issued_at >= {since:DateTime('UTC')} AND issued_at < {until:DateTime('UTC')}
  AND ended_at IS NOT NULL
GROUP BY provider, command, state
ORDER BY provider, command, state
