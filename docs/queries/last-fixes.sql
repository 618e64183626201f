-- Where is each device of a provider now?
-- Parameters: provider String.
-- Comes out: a row for each device, the newest first.
SELECT device_id, ts, latitude, longitude, speed
FROM v_device_last
WHERE provider = {provider:String}
ORDER BY ts DESC, device_id
