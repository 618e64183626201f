-- Does every accepted item have an outcome?
-- Parameters: since DateTime64(3, 'UTC') (from of receipt), until DateTime64(3, 'UTC') (to
--   before of receipt).
-- Comes out: by provider and kind: accepted, stored, duplicate and unexplained items. The rest of
--   what was accepted ended in another way, for which the view has further columns.
SELECT provider, kind, sum(b.accepted) AS accepted, sum(b.stored) AS stored,
       sum(b.duplicate) AS duplicate, sum(b.unexplained) AS unexplained
FROM v_ingest_balance(since = {since:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
    AS b
GROUP BY provider, kind
ORDER BY provider, kind
