-- When was a device silent?
-- Parameters: device String, since DateTime('UTC') (from), until DateTime('UTC') (to before),
--   seconds UInt32 (seconds).
-- Comes out: silences longer than that between two of its fixes, with the meters between.
SELECT before_ts AS last_ts, ts AS next_ts, ts - before_ts AS seconds,
       greatCircleDistance(place.2, place.1, before_place.2, before_place.1) AS meters
FROM (SELECT ts, (latitude, longitude) AS place,
             lagInFrame(ts, 1, ts) OVER w AS before_ts,
             lagInFrame((latitude, longitude), 1, (latitude, longitude)) OVER w AS before_place
      FROM v_locations
      WHERE device_id = {device:String} AND NOT has(flags, 'zero_position')
        AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
      WINDOW w AS (ORDER BY ts, latitude, longitude ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
WHERE seconds > {seconds:UInt32}
ORDER BY ts
