-- Which providers send the same again?
-- Parameters: since DateTime64(3, 'UTC') (from of receipt), until DateTime64(3, 'UTC') (to
--   before of receipt).
-- Comes out: accepted and repeated items by provider, and the percent of repeats. For a second
--   after its receipt an item may count as repeated: end the window a minute ago.
SELECT provider, sum(b.accepted) AS accepted, sum(b.duplicate) AS repeated,
       100 * repeated / accepted AS percent
FROM v_ingest_balance(since = {since:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
    AS b
WHERE provider != ''
GROUP BY provider
ORDER BY percent DESC, provider
