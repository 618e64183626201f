-- Days of devices, merged from their hours (ADR 0067): the hours of the day, twelve before it and
-- one after.

CREATE VIEW IF NOT EXISTS device_days_due
SQL SECURITY DEFINER
AS SELECT device_id, day
   FROM (SELECT device_id, day, max(marked_at) AS marked, max(computed_at) AS computed,
                greatest(computed, min(m.first_marked_at)) AS since
         FROM device_day_marks AS m
         GROUP BY device_id, day)
   WHERE marked > computed - INTERVAL 60 SECOND
     AND computed <= now64(3, 'UTC') - INTERVAL {pace_s:UInt32} SECOND
   ORDER BY least(today() - least(day, today()), 2), toStartOfMinute(since), device_id, day
   LIMIT 10000;

-- The legs and silences of a day and its surroundings.
--   silence   more than 900 s between legs. It is rest when the device is within 200 m of where it
--             was, else nothing is known of it.
--   way       moving legs one after another whose box has a diagonal of at least 200 m; less
--             is a move within a yard, or noise, and counts as standing
--   stop      rest of at least 300 s together; less is part of the trip around it
-- A leg belongs to the day in which it ends, a silence to that of the fix after it. So trips and
-- stops are cut at midnight (UTC), and the first piece is the one that does not continue.
CREATE VIEW IF NOT EXISTS device_legs_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, day)) FROM device_days_due(pace_s = {pace_s:UInt32})) AS due
   SELECT device_id, touched AS day, toDate(hour) = day AS is_own,
          toUnixTimestamp(hour) * 256 + nr AS turn, nr = 1 AS is_of_hour, h.client_id AS client_id,
          h.provider AS provider,
          h.country_id AS country_id, h.transport_id AS transport_id, h.seconds AS seconds,
          h.first AS first, h.last AS last, h.odometer_min AS odometer_min,
          h.odometer_max AS odometer_max, h.speed_max AS hour_speed_max, h.jumps AS jumps,
          leg.is_way AS is_way, toInt64(toUnixTimestamp(leg.start_ts)) AS leg_start,
          toInt64(toUnixTimestamp(leg.end_ts)) AS leg_end,
          leg.start_latitude AS start_latitude, leg.start_longitude AS start_longitude,
          leg.end_latitude AS end_latitude, leg.end_longitude AS end_longitude,
          leg.south AS south, leg.north AS north, leg.west AS west, leg.east AS east,
          leg.latitude_sum AS latitude_sum, leg.longitude_sum AS longitude_sum, leg.places
              AS places,
          leg.distance_cm AS distance_cm, leg.driving_s AS driving_s, leg.speed_max AS speed_max
   FROM (SELECT *, arrayJoin(arrayDistinct([toDate(hour - 3600), toDate(hour),
                                            toDate(hour + 43200)])) AS touched
         FROM device_hours FINAL
         WHERE (toDate(hour), device_id) IN (
             SELECT arrayJoin([one.2 - 1, one.2, one.2 + 1]), one.1
             FROM (SELECT arrayJoin(due) AS one))) AS h
   ARRAY JOIN legs AS leg, arrayEnumerate(legs) AS nr
   WHERE (device_id, touched) IN (SELECT one.1, one.2 FROM (SELECT arrayJoin(due) AS one));

-- The same with silences between them as legs of their own; doing: 0 rest, 1 way, 2 unknown.
CREATE VIEW IF NOT EXISTS device_parts_now
SQL SECURITY DEFINER
AS SELECT *, sum(is_new_part) OVER upto AS part
   FROM (
       SELECT *, part_doing != lagInFrame(part_doing, 1, 3) OVER pair AS is_new_part
       FROM (
           SELECT *, sum(seconds_long) OVER (PARTITION BY device_id, day, run) AS run_s,
                  if(doing = 0 AND run_s < 300, 1, doing) AS part_doing
           FROM (
               SELECT *, sum(is_new_run) OVER upto AS run
               FROM (
                   SELECT *, doing != lagInFrame(doing, 1, 3) OVER pair AS is_new_run
                   FROM (
                       SELECT *, 0.017453292519943295 * 6371008.8 AS degree,
                              min(south) OVER stretches AS least,
                              max(north) OVER stretches - least AS high,
                              max(east) OVER stretches - min(west) OVER stretches AS wide,
                              sqrt(pow(high * degree, 2) + pow(wide * degree
                                  * cos(0.017453292519943295 * least), 2)) AS extent,
                              if(kind = 1 AND extent < 200, 0, kind) AS doing
                       FROM (
                           SELECT *, sum(is_new) OVER upto AS stretch
                           FROM (
                               SELECT *, kind != lagInFrame(kind, 1, 3) OVER pair AS is_new
                               FROM (
                                   SELECT *, turn * 2 + nr AS place, toUInt8(item.1) AS kind,
                                          item.2 AS is_silence,
                                          if(is_silence, before, leg_start) AS from_s,
                                          if(is_silence, leg_start, leg_end) AS to_s,
                                          to_s - from_s AS seconds_long
                                   FROM (
                                       SELECT *, lagInFrame(leg_end, 1, leg_start) OVER (
                                                  PARTITION BY device_id, day ORDER BY turn
                                                  ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
                                                      AS before,
                                              lagInFrame((end_latitude, end_longitude), 1,
                                                         (start_latitude, start_longitude)) OVER (
                                                  PARTITION BY device_id, day ORDER BY turn
                                                  ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
                                                      AS place0,
                                              if(greatCircleDistance(place0.2, place0.1,
                                                  start_longitude, start_latitude) <= 200, 0, 2)
                                                  AS silent_kind,
                                              if(leg_start - before > 900,
                                                 [(silent_kind, true), (toUInt8(is_way), false)],
                                                 [(toUInt8(is_way), false)]) AS items
                                       FROM device_legs_now(pace_s = {pace_s:UInt32}))
                                   ARRAY JOIN items AS item, arrayEnumerate(items) AS nr)
                               WINDOW pair AS (PARTITION BY device_id, day ORDER BY place
                                               ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
                           WINDOW upto AS (PARTITION BY device_id, day ORDER BY place))
                       WINDOW stretches AS (PARTITION BY device_id, day, stretch))
                   WINDOW pair AS (PARTITION BY device_id, day ORDER BY place
                                   ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
               WINDOW upto AS (PARTITION BY device_id, day ORDER BY place)))
       WINDOW pair AS (PARTITION BY device_id, day ORDER BY place
                       ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
   WINDOW upto AS (PARTITION BY device_id, day ORDER BY place);

CREATE VIEW IF NOT EXISTS device_days_now
SQL SECURITY DEFINER
AS SELECT device_id, day,
          argMaxIf(p.client_id, last_place, p.seconds > 0) AS client_id,
          argMaxIf(p.provider, last_place, p.seconds > 0) AS provider,
          argMaxIf(p.country_id, last_place, p.seconds > 0) AS country_id,
          argMaxIf(p.transport_id, last_place, p.seconds > 0) AS transport_id,
          toUInt32(sum(p.seconds)) AS fixes,
          argMinIf(p.first, last_place, p.seconds > 0) AS first,
          argMaxIf(p.last, last_place, p.seconds > 0) AS last,
          sum(p.distance_cm) AS distance_cm,
          max(p.odometer_max) - min(p.odometer_min) AS odometer_km,
          toUInt32(sum(p.driving_s)) AS driving_s, toUInt32(sum(p.standing_s)) AS standing_s,
          toUInt16(sum(p.gaps)) AS gaps, toUInt32(sum(p.gap_s)) AS gap_s,
          toUInt32(sum(p.jumps)) AS jumps, max(p.day_speed_max) AS speed_max,
          arraySort(groupArrayIf(
              (toDateTime(start_s, 'UTC'), start_place.1, start_place.2,
               toDateTime(end_s, 'UTC'), end_place.1, end_place.2,
               p.distance_cm, toUInt32(p.driving_s), p.speed_max, trip_continues),
              doing = 1 AND ways > 0)) AS trips,
          arraySort(groupArrayIf(
              (toDateTime(own_from, 'UTC'), toDateTime(own_to, 'UTC'),
               if(p.places = 0, rest_place.1, p.latitude_sum / p.places),
               if(p.places = 0, rest_place.2, p.longitude_sum / p.places),
               toUInt32(dwell_s), toUInt32(silent_s), stop_continues, goes_on,
               part = last_part), doing = 0 AND owned > 0)) AS stops
   FROM (
       SELECT *, max(part) OVER (PARTITION BY device_id, day) AS last_part
       FROM (
           SELECT device_id, day, part, any(part_doing) AS doing, countIf(is_own) AS owned,
                  countIf(is_own AND l.doing = 1) AS ways,
                  maxIf(place, is_own) AS last_place,
                  argMaxIf(l.client_id, place, is_own) AS client_id,
                  argMaxIf(l.provider, place, is_own) AS provider,
                  argMaxIf(l.country_id, place, is_own) AS country_id,
                  argMaxIf(l.transport_id, place, is_own) AS transport_id,
                  sumIf(l.seconds, is_own AND is_of_hour AND NOT is_silence) AS seconds,
                  argMinIf(l.first, place, is_own) AS first, argMaxIf(l.last, place, is_own)
                      AS last,
                  minIf(l.odometer_min, is_own) AS odometer_min,
                  maxIf(l.odometer_max, is_own) AS odometer_max,
                  sumIf(l.jumps, is_own AND is_of_hour AND NOT is_silence) AS jumps,
                  maxIf(l.hour_speed_max, is_own) AS day_speed_max,
                  sumIf(l.distance_cm, is_own AND l.doing = 1) AS distance_cm,
                  sumIf(l.driving_s, is_own AND l.doing = 1) AS driving_s,
                  sumIf(seconds_long, is_own AND NOT is_silence)
                      - sumIf(l.driving_s, is_own AND l.doing = 1) AS standing_s,
                  countIf(is_own AND is_silence) AS gaps,
                  sumIf(seconds_long, is_own AND is_silence) AS gap_s,
                  minIf(from_s, is_own AND l.doing = 1) AS start_s,
                  maxIf(to_s, is_own AND l.doing = 1) AS end_s,
                  minIf(place, l.doing = 1) < minIf(place, is_own AND l.doing = 1)
                      AS trip_continues,
                  argMinIf((start_latitude, start_longitude), place, is_own AND l.doing = 1)
                      AS start_place,
                  argMaxIf((end_latitude, end_longitude), place, is_own AND l.doing = 1)
                      AS end_place,
                  maxIf(l.speed_max, is_own AND l.doing = 1) AS speed_max,
                  minIf(from_s, is_own) AS own_from, maxIf(to_s, is_own) AS own_to,
                  min(place) < minIf(place, is_own) AS stop_continues,
                  max(place) > maxIf(place, is_own) AS goes_on,
                  sumIf(l.latitude_sum, is_own AND NOT is_silence) AS latitude_sum,
                  sumIf(l.longitude_sum, is_own AND NOT is_silence) AS longitude_sum,
                  sumIf(l.places, is_own AND NOT is_silence) AS places,
                  argMinIf((start_latitude, start_longitude), place, is_own) AS rest_place,
                  sumIf(seconds_long, is_own) AS dwell_s,
                  sumIf(seconds_long, is_own AND is_silence) AS silent_s
           FROM device_parts_now(pace_s = {pace_s:UInt32}) AS l
           GROUP BY device_id, day, part)) AS p
   GROUP BY device_id, day;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_refresh
REFRESH EVERY 30 SECOND APPEND TO device_days EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id, fixes, first, last,
          distance_cm, odometer_km, driving_s, standing_s, gaps, gap_s, jumps, speed_max, trips,
          stops,
          now64(3, 'UTC') AS computed_at
   FROM device_days_now(pace_s = 60);
