-- Which requests for telemetry events did a provider never answer?
-- Parameters: since DateTime('UTC') (from of issue), until DateTime('UTC') (to before of issue).
-- Comes out: requests without any answer, with the state of the command.
SELECT provider, command_id, request_id, transport_id, issued_at, state, status
FROM v_commands
WHERE issued_at >= {since:DateTime('UTC')} AND issued_at < {until:DateTime('UTC')}
  AND command = 'process_telemetry_events'
  AND (provider, request_id) NOT IN (SELECT provider, request_id FROM v_deferred_answers)
ORDER BY issued_at, command_id
