-- When did a device drive faster than a limit, and for how long?
-- Parameters: limit Float64 (km/h), device String, since DateTime('UTC') (from), until
--   DateTime('UTC') (to before).
-- Comes out: runs of fixes above it without one below or a minute without any.
SELECT min(ts) AS start_ts, max(ts) AS end_ts, count() AS fixes, max(speed) AS fastest
FROM (SELECT ts, speed, is_over, countIf(starts) OVER (ORDER BY ts) AS run
      FROM (SELECT ts, speed, speed > {limit:Float64} AS is_over,
                   is_over AND (NOT lagInFrame(is_over, 1, 0) OVER w
                       OR ts - lagInFrame(ts, 1, ts) OVER w > 60) AS starts
            FROM v_locations
            WHERE device_id = {device:String} AND speed IS NOT NULL
              AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
            WINDOW w AS (ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)))
WHERE is_over
GROUP BY run
ORDER BY start_ts
