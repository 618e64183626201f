-- Which commands were never finished?
-- Parameters: since DateTime('UTC') (from of issue), until DateTime('UTC') (to before of issue).
-- Comes out: commands that wait, the oldest first, with what the last attempt met.
SELECT provider, command, command_id, command_key, issued_at, state, attempts, status, reason,
       next_attempt_at
FROM v_commands
WHERE issued_at >= {since:DateTime('UTC')} AND issued_at < {until:DateTime('UTC')}
  AND ended_at IS NULL
ORDER BY issued_at, command_id
