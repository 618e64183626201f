-- How long are trips?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: trips in classes of kilometers: below 1, 5, 20, 100, and above.
SELECT multiIf(distance < 1000, '0-1', distance < 5000, '1-5', distance < 20000, '5-20',
               distance < 100000, '20-100', '100-') AS kilometers, count() AS trips
FROM v_trips
WHERE day BETWEEN {from_day:Date} AND {to_day:Date} AND NOT continues
GROUP BY kilometers
ORDER BY min(distance)
