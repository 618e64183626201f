-- How many days are computed at a time goes by their fixes as well, since these are what computing
-- takes time and memory for: of the 5,000 days drawn by lot so many as have 5 million fixes
-- together, and one at least. Minutes tell how many a day has; repeats count until they are merged.
CREATE OR REPLACE VIEW device_days_due
SQL SECURITY DEFINER
AS WITH drawn AS (
       SELECT device_id, day, cityHash64(device_id, day, now()) AS lot
       FROM (SELECT device_id, day, max(marked_at) AS marked, max(computed_at) AS computed
             FROM device_day_marks
             GROUP BY device_id, day)
       WHERE marked > computed - INTERVAL 300 SECOND
       ORDER BY lot
       LIMIT 5000)
   SELECT device_id, day
   FROM (SELECT device_id, day,
                sum(fixes) OVER (ORDER BY any(lot), device_id, day
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS fixes_before,
                sum(bitCount(seconds)) AS fixes
         FROM drawn
         LEFT JOIN (
             SELECT device_id, toDate(minute) AS day, seconds
             FROM device_minutes
             WHERE minute >= (SELECT toDateTime(min(day), 'UTC') FROM drawn)
               AND minute < (SELECT toDateTime(max(day) + 1, 'UTC') FROM drawn)
               AND device_id IN (SELECT device_id FROM drawn)) AS minutes USING (device_id, day)
         GROUP BY device_id, day)
   WHERE fixes_before < 5000000;
