-- Why could records not be processed, and how many wait for a repair?
-- Parameters: since DateTime('UTC') (from of the newest).
-- Comes out: kinds of reason with open dead letters, the most items first, and what to do.
SELECT topic, code, detail, open, dead_letters, items, first_at, last_at, hint
FROM v_dead_letters
WHERE open > 0 AND last_at >= {since:DateTime('UTC')}
ORDER BY items DESC, topic, code, detail
