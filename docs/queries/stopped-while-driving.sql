-- Which devices were stopped while they still drove?
-- Parameters: since DateTime('UTC') (from of stop), until DateTime('UTC') (to before of stop),
--   limit Float64 (km/h), seconds UInt32 (seconds from the last fix to the stop).
-- Comes out: devices whose last fix was faster than that and at most so long before the stop.
SELECT d.client_id AS client_id, d.device_id AS device_id, l.provider AS provider,
       d.stopped_at AS stopped_at, l.ts AS last_ts, l.speed AS last_speed
FROM v_devices AS d
INNER JOIN v_device_last AS l ON d.device_id = l.device_id
WHERE d.stopped_at >= {since:DateTime('UTC')} AND d.stopped_at < {until:DateTime('UTC')}
  AND l.speed > {limit:Float64} AND d.stopped_at <= l.ts + toIntervalSecond({seconds:UInt32})
ORDER BY stopped_at, device_id
