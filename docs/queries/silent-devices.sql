-- Which devices have not reported since a time?
-- Parameters: since DateTime('UTC') (from).
-- Comes out: devices, the longest silent first.
SELECT device_id, provider, ts AS last_ts
FROM v_device_last
WHERE ts < {since:DateTime('UTC')}
ORDER BY ts, device_id
