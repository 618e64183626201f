-- How often did each vehicle report a speed above the limit that it reports itself?
-- Parameters: name String, tolerance Float64 (km/h), since DateTime('UTC') (from), until
--   DateTime('UTC') (to before).
-- Comes out: for each device: readings with a limit, and those above it.
SELECT device_id, count() AS readings,
       countIf(speed > toFloat64OrZero(others[{name:String}]) + {tolerance:Float64}) AS above
FROM v_telemetry
WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
  AND mapContains(others, {name:String}) AND speed IS NOT NULL
GROUP BY device_id
ORDER BY device_id
