-- Where was a fleet in each hour?
-- Parameters: provider String, since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: for each hour the H3 cells with their centers: devices and seconds with a fix.
SELECT hour, h3ToString(h3) AS cell, latitude AS center_latitude, longitude AS center_longitude,
       sum(devices) AS devices_there, sum(seconds) AS seconds_there
FROM v_heat
WHERE provider = {provider:String} AND day BETWEEN toDate({since:DateTime('UTC')})
      AND toDate({until:DateTime('UTC')} - 1)
  AND hour >= {since:DateTime('UTC')} AND hour < {until:DateTime('UTC')}
GROUP BY hour, cell, center_latitude, center_longitude
ORDER BY hour, seconds_there DESC, cell
