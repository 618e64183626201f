-- Where do distance by places and odometer disagree?
-- Parameters: from_day Date (first day), to_day Date (last day), percent Float64 (percent).
-- Comes out: days of devices whose two distances in kilometers differ by more than that.
SELECT device_id, day, distance / 1000 AS kilometers, odometer,
       100 * (kilometers - odometer) / odometer AS difference
FROM v_device_days
WHERE day BETWEEN {from_day:Date} AND {to_day:Date} AND odometer > 1
  AND abs(difference) > {percent:Float64}
ORDER BY abs(difference) DESC, device_id
