-- Who carried a traceable, and how far?
-- Parameters: type String, id String, since DateTime('UTC') (from), until DateTime('UTC') (to
--   before).
-- Comes out: drivers with first and last time and fixes.
SELECT external_type, external_id, min(ts) AS first_ts, max(ts) AS last_ts, count() AS fixes
FROM v_delivery_locations
WHERE traceable_type = {type:String} AND traceable_id = {id:String}
  AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
GROUP BY external_type, external_id
ORDER BY first_ts
