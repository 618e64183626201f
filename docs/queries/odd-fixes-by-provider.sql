-- Which providers send fixes that cannot be true?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: fixes and devices by provider and name.
SELECT provider, kind, count() AS fixes, uniqExact(device_id) AS devices
FROM v_odd_fixes(device = '', since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
GROUP BY provider, kind
ORDER BY provider, kind
