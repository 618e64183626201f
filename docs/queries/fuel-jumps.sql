-- When was a vehicle refuelled, and when did fuel disappear?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before), liters Float64
--   (liters).
-- Comes out: changes of at least so much between two readings, with the kilometers between; a loss
--   without any may be a theft.
SELECT device_id, provider, ts, if(change > 0, 'refuelled', 'lost') AS kind,
       abs(change) AS liters, odometer - before_odometer AS kilometers, latitude, longitude
FROM (SELECT device_id, provider, ts, latitude, longitude, odometer,
             fuel_quantity - lagInFrame(fuel_quantity, 1, fuel_quantity) OVER w AS change,
             lagInFrame(odometer, 1, odometer) OVER w AS before_odometer
      FROM v_telemetry
      WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
        AND fuel_quantity IS NOT NULL
      WINDOW w AS (PARTITION BY device_id ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
WHERE abs(change) >= {liters:Float64}
ORDER BY ts, device_id
