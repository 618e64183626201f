-- How do commands to each provider end?
-- Parameters: since DateTime('UTC') (from of issue), until DateTime('UTC') (to before of issue).
-- Comes out: commands by provider, kind, state and HTTP status, with their percent of the kind.
SELECT provider, command, state, status, count() AS commands,
       100 * commands / sum(count()) OVER (PARTITION BY provider, command) AS percent
FROM v_commands
WHERE issued_at >= {since:DateTime('UTC')} AND issued_at < {until:DateTime('UTC')}
GROUP BY provider, command, state, status
ORDER BY provider, command, state, status
