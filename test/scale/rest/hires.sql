-- Vehicles that are hired for two days, with readings of their engines; {hires} more on each day.
-- Each of eight has another trouble. It never sends (0), has places at 0,0 (1), jumps (2), or has a
-- clock of two hours ago (3). It is gone after its first day and never stopped (4), has times of
-- 1980 (5), is stopped while it drives (6), or has a clock ten minutes ahead (7).
SELECT first_day_no * {hires:UInt32} + number % {hires:UInt32} AS hire, hire % 8 AS trouble,
       first_day_no, lower(hex(SHA256(concat('hire ', toString(hire))))) AS digest,
       concat(substring(digest, 1, 8), '-', substring(digest, 9, 4), '-', substring(digest, 13, 4),
           '-', substring(digest, 17, 4), '-', substring(digest, 21, 12)) AS device,
       concat('p', toString(1 + hire % 9)) AS provider,
       ['BR', 'AR', 'MX', 'CO', 'CL', 'UY'][1 + hire % 6] AS country,
       toInt64(5000 + hire % 50) AS transport,
       [-23.5, -34.6, 19.4, 4.7, -33.4, -34.9][1 + hire % 6] AS home_lat,
       [-46.6, -58.4, -99.1, -74.1, -70.6, -56.2][1 + hire % 6] AS home_lon,
       ({first_day:UInt32} + first_day_no) * 86400 + hire % 9 * 3600 AS start_s,
       toUInt16(cityHash64(device) % 12) AS k_partition
FROM (SELECT number, {day:UInt32} - {first_day:UInt32} - intDiv(number, {hires:UInt32})
                 AS first_day_no
      FROM numbers({hires:UInt32} * {hired_days:UInt32}))
WHERE toInt64(first_day_no) >= 0
