-- When in the day does a fleet work?
-- Parameters: provider String, from_day Date (first day), to_day Date (last day).
-- Comes out: for each hour of the day (UTC): devices with a fix, and seconds with one.
SELECT hour_of_day AS hour, devices, seconds
FROM v_active_devices(from_day = {from_day:Date}, to_day = {to_day:Date})
WHERE provider = {provider:String}
ORDER BY hour
