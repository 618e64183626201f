-- At which hours of the day do events happen?
-- Parameters: zone String (time zone, such as America/Sao_Paulo), since DateTime('UTC') (from),
--   until DateTime('UTC') (to before).
-- Comes out: events and devices by hour of the day in that zone and kind.
SELECT toHour(start_date, {zone:String}) AS hour, name, count() AS events,
       uniqExact(device_id) AS devices
FROM v_telemetry_events
WHERE start_date >= {since:DateTime('UTC')} AND start_date < {until:DateTime('UTC')}
  -- No event starts more than a day after its receipt.
  AND received_at >= {since:DateTime('UTC')} - INTERVAL 1 DAY
GROUP BY hour, name
ORDER BY hour, name
