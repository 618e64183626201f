-- Who opened or erased personal data, and why?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: commands of operators that touch persons, the newest first.
SELECT at, actor, command, subject, reason
FROM v_audits
WHERE at >= {since:DateTime('UTC')} AND at < {until:DateTime('UTC')} AND touches = 'persons'
ORDER BY at DESC, audit_id
