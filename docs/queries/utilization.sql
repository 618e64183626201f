-- Which share of its reported time did each device drive?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: hours reported and percent driven of each device, the least first.
SELECT device_id, (sum(driving_s) + sum(standing_s)) / 3600 AS hours,
       100 * sum(driving_s) / (sum(driving_s) + sum(standing_s)) AS percent
FROM v_device_days
WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY device_id
HAVING hours > 0
ORDER BY percent, device_id
