-- Which devices were started and never sent a usable location?
-- Parameters: since DateTime('UTC') (from of start), until DateTime('UTC') (to before of start).
-- Comes out: devices without any fix that is neither 0,0 nor in the future, the newest start first.
SELECT client_id, device_id, entity_type, transport_id, status, started_at
FROM v_devices
WHERE started_at >= {since:DateTime('UTC')} AND started_at < {until:DateTime('UTC')}
  AND device_id NOT IN (SELECT device_id FROM v_device_last)
ORDER BY started_at DESC, device_id
