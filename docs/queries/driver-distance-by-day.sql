-- How far did each delivery driver go on each day?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: fixes, kilometers between them, and the first and last of each day, UTC.
SELECT client_id, external_type, external_id, toDate(ts) AS day, count() AS fixes,
       sum(meters) / 1000 AS kilometers, min(ts) AS first_ts, max(ts) AS last_ts
FROM (SELECT client_id, external_type, external_id, ts,
             greatCircleDistance(lagInFrame(longitude, 1, longitude) OVER w,
                 lagInFrame(latitude, 1, latitude) OVER w, longitude, latitude) AS meters
      -- A driver's fix is there once for each traceable.
      FROM (SELECT DISTINCT client_id, external_type, external_id, ts, latitude, longitude
            FROM v_delivery_locations
            WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
              AND NOT has(flags, 'zero_position'))
      WINDOW w AS (PARTITION BY client_id, external_type, external_id, toDate(ts)
                   ORDER BY ts, latitude, longitude ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
GROUP BY client_id, external_type, external_id, day
ORDER BY day, client_id, external_type, external_id
