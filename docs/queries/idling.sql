-- How long did each engine run at a standstill?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: seconds with ignition on and speed 0, counted between readings of at most 60 s.
SELECT device_id, sum(seconds) AS idling_s
FROM (SELECT device_id, ignition AND speed = 0 AS is_idle,
             dateDiff('second', lagInFrame(ts, 1, ts) OVER w, ts) AS seconds
      FROM v_telemetry
      WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
        AND ignition IS NOT NULL AND speed IS NOT NULL
      WINDOW w AS (PARTITION BY device_id ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
WHERE is_idle AND seconds <= 60
GROUP BY device_id
ORDER BY device_id
