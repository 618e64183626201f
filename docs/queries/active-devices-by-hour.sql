-- When in the day does a fleet work?
-- Parameters: provider String, from_day Date (first day), to_day Date (last day).
-- Comes out: for each hour of the day (UTC): devices with a fix, and seconds with one.
SELECT toHour(minute) AS hour, uniqExact(device_id) AS devices, sum(seconds) AS seconds
FROM v_device_minutes
WHERE provider = {provider:String}
  AND minute >= toDateTime({from_day:Date}, 'UTC')
  AND minute < toDateTime({to_day:Date} + 1, 'UTC')
GROUP BY hour
ORDER BY hour
