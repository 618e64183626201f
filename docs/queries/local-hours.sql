-- In which hours of the local clock does a fleet work?
-- Parameters: provider String, from_day Date (first day, UTC), to_day Date (last day, UTC).
-- Comes out: a row for each hour of the local clock: devices and seconds with a fix.
SELECT local_hour, uniqExact(device_id) AS devices, sum(seconds) AS seconds
FROM v_local_hours
WHERE provider = {provider:String} AND day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY local_hour
ORDER BY local_hour
