-- How good is what each provider sends?
-- Parameters: since DateTime64(3, 'UTC') (from of receipt), until DateTime64(3, 'UTC') (to
--   before of receipt).
-- Comes out: a row for each provider, as v_provider_quality defines it.
SELECT *
FROM v_provider_quality(since = {since:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
ORDER BY provider
