-- Which records of the log were never read?
-- Parameters: since DateTime64(3, 'UTC') (from of the log), until DateTime64(3, 'UTC') (to before
--   of the log).
-- Comes out: gaps by topic and partition; none in health.
SELECT topic, k_partition, first_missing, last_missing, records, logged_at
FROM v_ingest_gaps(since = {since:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
ORDER BY logged_at, topic, k_partition, first_missing
