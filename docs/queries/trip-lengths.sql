-- How long are trips?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: trips in classes of kilometers: below 1, 5, 20, 100, and above.
SELECT multiIf(distance_m < 1000, '0-1', distance_m < 5000, '1-5', distance_m < 20000, '5-20',
               distance_m < 100000, '20-100', '100-') AS kilometers, count() AS trips
FROM v_trips
WHERE day BETWEEN {from_day:Date} AND {to_day:Date} AND NOT continues
GROUP BY kilometers
ORDER BY min(distance_m)
