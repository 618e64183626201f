-- How much fuel does each vehicle use for 100 km?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before), liters Float64
--   (changes of at least so much between two readings count as refuelling or loss, not as use).
-- Comes out: kilometers by odometer, liters and liters per 100 km.
SELECT device_id, max(odometer) - min(odometer) AS kilometers,
       sumIf(used, abs(used) < {liters:Float64}) AS liters_used,
       100 * liters_used / kilometers AS liters_per_100_kilometers
FROM (SELECT device_id, odometer, lagInFrame(fuel_quantity, 1, fuel_quantity) OVER w
                 - fuel_quantity AS used
      FROM v_telemetry
      WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
        AND fuel_quantity IS NOT NULL AND odometer IS NOT NULL
      WINDOW w AS (PARTITION BY device_id ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
GROUP BY device_id
HAVING kilometers > 0
ORDER BY liters_per_100_kilometers DESC, device_id
