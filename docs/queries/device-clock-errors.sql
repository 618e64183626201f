-- Which devices have a wrong clock?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before), seconds Float64
--   (seconds).
-- Comes out: devices whose least difference of receipt and post is farther from 0 than that.
SELECT device_id, provider, min(clock_skew_ms) / 1000 AS seconds_behind
FROM v_locations
WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
GROUP BY device_id, provider
HAVING abs(seconds_behind) > {seconds:Float64}
ORDER BY abs(seconds_behind) DESC, device_id
