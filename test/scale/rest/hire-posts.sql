-- Eight hours of a hired vehicle on a day, a fix each minute and a post each 20. The last 20
-- minutes of each hour it is at a stop, half of these with its engine on. It is refuelled once.
WITH
    (kind, d, at) -> (cityHash64(kind, d, at) % 30001) / 100000 - 0.15 AS h
SELECT *, 'rtt.locations.v1' AS topic, 'locations' AS kind, device AS key, '1' AS client,
       toUInt32(20) AS items, arrayMax(times) AS post_s,
       toInt64(post_s + if(trouble = 3, 7200, 0) - if(trouble = 7, 600, 0)) * 1000 + 2000
           AS received_ms,
       toUInt64(2000000000000) + ({day:UInt32} - {first_day:UInt32}) * 1000000
           + hire % {hires:UInt32} * 1000 + first_day_no % 2 * 100 + post AS k_offset
FROM (
    SELECT *, post, toUInt64({day:UInt32}) * 86400 + hire % 9 * 3600 + post * 1200 AS from_s,
           arrayMap(n -> from_s + n * 60, range(20)) AS times,
           arrayMap(s -> least((s % 3600) / 2400, 1), times) AS parts,
           arrayMap((s, part) -> home_lat + h(7, hire, intDiv(s, 3600)) * (1 - part)
               + h(7, hire, intDiv(s, 3600) + 1) * part, times, parts) AS lats,
           arrayMap((s, part) -> home_lon + h(8, hire, intDiv(s, 3600)) * (1 - part)
               + h(8, hire, intDiv(s, 3600) + 1) * part, times, parts) AS lons
    FROM (HIRES)
    ARRAY JOIN range(24) AS post
    WHERE trouble != 0 AND (trouble != 6 OR post < 23)
      AND (trouble != 4 OR {day:UInt32} = {first_day:UInt32} + first_day_no))
