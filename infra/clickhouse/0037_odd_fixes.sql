-- Fixes that are stored like any other and cannot be true as they are (ADR 0095). Their names are
-- computed from the set of stored fixes when they are asked for, so that late, repeated and
-- shuffled fixes change nothing: no insert computes anything, and nothing has to be put right.
--
-- jump       over 1,000 m and over 350 km/h (97.2 m/s) from the fix before it, of any post, at most
--            an hour earlier. Either the next fix is as far from it (it was astray), or it is
--            neither the way back from such a fix nor the end of a place that the device held.
-- frozen     in the last hour at least 300 s of driving (5 km/h or more) were reported, or a
--            kilometer by the odometer, between fixes at the same place to the last digit.
-- hours_off  whole hours away from its receipt, up to 14, give or take 120 s, as its whole post is:
--            by the newest fix of the post, of which it is at most an hour older. Within an hour of
--            its receipt three posts or more are as much off, over at least 600 s.
-- gps_week_rollover  1,024 weeks (619,315,200 s) before its receipt, give or take a day. By its age
--            it is an outlier, and 0002 writes the name as its reason.
--
-- Each looks at a bounded time around a fix, so that every window gives it the same names.

-- Steps from fix to fix that may be one of the first two: few, so that all else is cheap. The fixes
-- of a device by one provider are one sorted array, which takes a third of the time of windows over
-- rows. Fixes of one second and place are one: the one that says most of driving. A silence of over
-- 900 s says nothing of driving, nor does a speed over 350 km/h or an odometer that is as fast.
-- In odd_steps are this fix, the one before (one) and the one before that (two).
CREATE VIEW IF NOT EXISTS odd_steps
SQL SECURITY DEFINER
AS SELECT client_id, provider, device_id, step.1 AS fix, fix.1 AS at, fix.2 AS la, fix.3 AS lo,
          fix.4 AS speed, fromUnixTimestamp64Milli(fix.6, 'UTC') AS received_at,
          fix.7 AS k_partition, fix.8 AS k_offset,
          step.2 AS one, one.1 AS at1, one.2 AS la1, one.3 AS lo1, step.3 AS two,
          at - at1 AS dt, greatCircleDistance(lo1, la1, lo, la) AS metres,
          la != la1 OR lo != lo1 AS is_far,
          two.1 < at1 AND two.1 >= at1 - 3600 AND two.2 = la1 AND two.3 = lo1 AS was_held,
          if(is_far OR least(speed, one.4) < 5, 0, dt) AS driven_s,
          if(is_far OR fix.5 - one.5 NOT BETWEEN 0 AND 0.0972 * dt, 0,
             toInt64(round((fix.5 - one.5) * 1000))) AS driven_m
   FROM (
       SELECT client_id, provider, device_id, fixes, at1s, la1s, lo1s, speed1s, odometer1s,
              arrayMap((at, la, lo, speed, odometer, at1, la1, lo1, speed1, odometer1) ->
                  if(la = la1 AND lo = lo1,
                     at - at1 BETWEEN 1 AND 900 AND (least(speed, speed1) >= 5
                         OR odometer > odometer1 AND odometer - odometer1 <= 0.0972 * (at - at1)),
                     at - at1 <= 3600 AND greatCircleDistance(lo1, la1, lo, la)
                         > greatest(1000, 97.2 * (at - at1))),
                  fixes.1, fixes.2, fixes.3, fixes.4, fixes.5, at1s, la1s, lo1s, speed1s,
                  odometer1s) AS odd
       FROM (
           SELECT client_id, provider, device_id, fixes,
                  arrayPushFront(arrayPopBack(fixes.1), 0) AS at1s,
                  arrayPushFront(arrayPopBack(fixes.2), 0) AS la1s,
                  arrayPushFront(arrayPopBack(fixes.3), 0) AS lo1s,
                  arrayPushFront(arrayPopBack(fixes.4), -1) AS speed1s,
                  arrayPushFront(arrayPopBack(fixes.5), 0) AS odometer1s
           FROM (
               SELECT client_id, provider, device_id,
                      arrayFilter((fix, at, la, lo, at0, la0, lo0) ->
                              at != at0 OR la != la0 OR lo != lo0,
                          sent, sent.1, sent.2, sent.3, arrayPushBack(arrayPopFront(sent.1), -1),
                          arrayPushBack(arrayPopFront(sent.2), 0),
                          arrayPushBack(arrayPopFront(sent.3), 0)) AS fixes
               FROM (
                   SELECT client_id, provider, device_id,
                          arraySort(groupArray((
                              toInt64(toUnixTimestamp(ts)), latitude, longitude,
                              if(ifNull(l.speed, 999) > 350, -1, assumeNotNull(l.speed)),
                              ifNull(odometer, -1e9), toUnixTimestamp64Milli(received_at),
                              k_partition, k_offset))) AS sent
                   FROM v_locations AS l
                   WHERE ts >= {since:DateTime('UTC')} - 7200
                     AND ts < {until:DateTime('UTC')} + 3600 AND (latitude != 0 OR longitude != 0)
                     AND device_id BETWEEN {device:String}
                         AND if({device:String} = '', char(255), {device:String})
                   GROUP BY client_id, provider, device_id)))
       WHERE has(odd, 1))
   ARRAY JOIN arrayFilter((step, is_odd) -> is_odd, arrayZip(
       fixes, arrayZip(at1s, la1s, lo1s, speed1s, odometer1s),
       arrayZip(arrayPushFront(arrayPopBack(at1s), 0), arrayPushFront(arrayPopBack(la1s), 0),
                arrayPushFront(arrayPopBack(lo1s), 0))), odd) AS step;

-- Posts that are whole hours away, among all posts of devices that may have some. The newest fix of
-- a post is at most two days from its receipt, else it is no such post.
CREATE VIEW IF NOT EXISTS odd_posts
SQL SECURITY DEFINER
AS SELECT *, count() OVER near AS posts,
          max(received_s) OVER near - min(received_s) OVER near AS span
   FROM (
       SELECT client_id, provider, device_id, k_partition, k_offset, received_at,
              max(toInt64(toUnixTimestamp(l.ts))) AS newest,
              groupArray((toInt64(toUnixTimestamp(l.ts)), l.latitude, l.longitude)) AS fixes,
              toInt64(toUnixTimestamp(received_at)) AS received_s,
              newest - received_s AS off_s, round(off_s / 3600) AS hours
       FROM v_locations AS l
       WHERE ts >= {since:DateTime('UTC')} - 172800 AND ts < {until:DateTime('UTC')} + 172800
         AND device_id BETWEEN {device:String}
             AND if({device:String} = '', char(255), {device:String})
         AND (client_id, provider, device_id) IN (
             SELECT client_id, provider, device_id
             FROM v_locations
             WHERE ts >= {since:DateTime('UTC')} - 4000 AND ts < {until:DateTime('UTC')} + 7500
               AND device_id BETWEEN {device:String}
             AND if({device:String} = '', char(255), {device:String})
               AND abs(round((toUnixTimestamp(ts) - toUnixTimestamp(received_at)) / 3600) AS h)
                   BETWEEN 1 AND 14
               AND abs(toUnixTimestamp(ts) - toUnixTimestamp(received_at) - 3600 * h) <= 120
             GROUP BY client_id, provider, device_id, h
             HAVING uniqExact((k_partition, k_offset)) >= 3
                AND max(toUnixTimestamp(received_at)) - min(toUnixTimestamp(received_at)) >= 600)
       GROUP BY client_id, provider, device_id, k_partition, k_offset, received_at)
   WHERE abs(hours) BETWEEN 1 AND 14 AND abs(off_s - 3600 * hours) <= 120
   WINDOW near AS (PARTITION BY client_id, provider, device_id, hours ORDER BY received_s
                   RANGE BETWEEN 3600 PRECEDING AND 3600 FOLLOWING);

CREATE VIEW IF NOT EXISTS v_odd_fixes
(
    device_id   String                 COMMENT 'RTT device id.',
    ts          DateTime64(3, 'UTC')
        COMMENT 'When the fix was obtained, by the device''s clock, UTC, to the second.',
    kind        LowCardinality(String)
        COMMENT 'jump, frozen, hours_off or gps_week_rollover; a fix may have several.',
    latitude    Float64                COMMENT 'Degrees.',
    longitude   Float64                COMMENT 'Degrees.',
    off_s       Int64
        COMMENT 'Own time minus receipt, seconds; of hours_off that of the newest fix of its post.',
    duration_s  Nullable(Int64)
        COMMENT 'jump: since the fix before; frozen: driving reported in the last hour. Seconds.',
    distance_m  Nullable(Float64)
        COMMENT 'jump: from the fix before; frozen: by the odometer in the last hour. Meters.',
    speed_kmh   Nullable(Float64)
        COMMENT 'jump: what the way takes; frozen: as sent. Kilometers per hour.',
    client_id   LowCardinality(String) COMMENT 'Client that sent the fix.',
    provider    LowCardinality(String) COMMENT 'Provider of the call''s path.',
    received_at DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.',
    k_partition UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset    UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, toDateTime64(at, 3, 'UTC') AS ts, toLowCardinality(kind) AS kind,
          la AS latitude, lo AS longitude,
          at - toInt64(toUnixTimestamp(received_at)) AS off_s,
          if(kind = 'jump', dt, frozen_s) AS duration_s,
          if(kind = 'jump', metres, toFloat64(frozen_m)) AS distance_m,
          if(kind = 'jump', 3.6 * metres / greatest(dt, 1), nullIf(speed, -1)) AS speed_kmh,
          client_id, provider, received_at, k_partition, k_offset
   FROM (
       SELECT *, sum(driven_s) OVER hour AS frozen_s, sum(driven_m) OVER hour AS frozen_m,
              leadInFrame((at1, la1, lo1), 1) OVER far = (at, la, lo) AS is_astray,
              lagInFrame(at, 1, 0) OVER far >= at - 3600
                  AND greatCircleDistance(lagInFrame(lo1, 1) OVER far,
                                          lagInFrame(la1, 1) OVER far, lo, la)
                      <= greatest(1000, 97.2 * (at - lagInFrame(at1, 1, 0) OVER far)) AS is_back
       FROM odd_steps(device = {device:String}, since = {since:DateTime('UTC')},
                      until = {until:DateTime('UTC')})
       WINDOW far AS (PARTITION BY client_id, provider, device_id, is_far
                      ORDER BY at, la, lo
                      ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING),
              hour AS (PARTITION BY client_id, provider, device_id, la, lo ORDER BY at
                       RANGE BETWEEN 3599 PRECEDING AND CURRENT ROW))
   ARRAY JOIN arrayFilter(name -> name != '', [
       if(is_far AND (is_astray OR NOT was_held AND NOT is_back), 'jump', ''),
       if(driven_s + driven_m > 0 AND (frozen_s >= 300 OR frozen_m >= 1000), 'frozen', '')]) AS kind
   WHERE at >= toUnixTimestamp({since:DateTime('UTC')})
     AND at < toUnixTimestamp({until:DateTime('UTC')})
   UNION ALL
   SELECT device_id, toDateTime64(fix.1, 3, 'UTC'), toLowCardinality('hours_off'), fix.2,
          fix.3, off_s, NULL, NULL, NULL, client_id, provider, received_at, k_partition, k_offset
   FROM odd_posts(device = {device:String}, since = {since:DateTime('UTC')},
                  until = {until:DateTime('UTC')})
   ARRAY JOIN fixes AS fix
   WHERE posts >= 3 AND span >= 600 AND newest - fix.1 <= 3600
     AND fix.1 >= toUnixTimestamp({since:DateTime('UTC')})
     AND fix.1 < toUnixTimestamp({until:DateTime('UTC')})
   UNION ALL
   SELECT device_id, ts, toLowCardinality('gps_week_rollover'), latitude, longitude,
          toInt64(dateDiff('second', received_at, ts)), NULL, NULL, NULL, client_id,
          provider, received_at, k_partition, k_offset
   FROM v_location_outliers
   WHERE kind = 'location' AND reason = 'gps_week_rollover'
     AND received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
     AND device_id BETWEEN {device:String}
             AND if({device:String} = '', char(255), {device:String})
COMMENT 'Fixes that cannot be true as they are, by name: of a device or all ('''') in a time.';
