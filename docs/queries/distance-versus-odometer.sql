-- Where do distance by places and odometer disagree?
-- Parameters: from_day Date (first day), to_day Date (last day), percent Float64 (percent).
-- Comes out: days of devices whose two distances in kilometers differ by more than that.
SELECT device_id, day, distance_m / 1000 AS kilometers, odometer_km,
       100 * (kilometers - odometer_km) / odometer_km AS difference
FROM v_device_days
WHERE day BETWEEN {from_day:Date} AND {to_day:Date} AND odometer_km > 1
  AND abs(difference) > {percent:Float64}
ORDER BY abs(difference) DESC, device_id
