-- Which engines ran too hot, and for how long?
-- Parameters: celsius Float64 (degrees), since DateTime('UTC') (from), until DateTime('UTC') (to
--   before).
-- Comes out: readings above it, seconds between readings of at most 60 s, and the hottest.
SELECT device_id, provider, count() AS readings, sumIf(seconds, seconds <= 60) AS hot_s,
       max(engine_temperature) AS hottest, min(ts) AS first_ts, max(ts) AS last_ts
FROM (SELECT device_id, provider, ts, engine_temperature,
             dateDiff('second', lagInFrame(ts, 1, ts) OVER w, ts) AS seconds
      FROM v_telemetry
      WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
        AND engine_temperature IS NOT NULL
      WINDOW w AS (PARTITION BY device_id ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
WHERE engine_temperature > {celsius:Float64}
GROUP BY device_id, provider
ORDER BY hot_s DESC, device_id
