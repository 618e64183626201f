-- Which devices have been silent for hours and were never stopped?
-- Parameters: since DateTime('UTC') (from of start), until DateTime('UTC') (to before of start, and
--   the time to count back from), hours UInt32 (hours).
-- Comes out: devices that may still send, the longest silent first.
SELECT d.client_id AS client_id, d.device_id AS device_id, d.entity_type AS entity_type,
       d.started_at AS started_at, l.ts AS last_ts,
       dateDiff('second', l.ts, {until:DateTime('UTC')}) / 3600 AS silent_hours
FROM v_devices AS d
INNER JOIN v_device_last AS l ON d.device_id = l.device_id
WHERE d.status = 'tracking'
  AND d.started_at >= {since:DateTime('UTC')} AND d.started_at < {until:DateTime('UTC')}
  AND l.ts < {until:DateTime('UTC')} - toIntervalHour({hours:UInt32})
ORDER BY last_ts, device_id
