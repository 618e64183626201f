-- Which zones held on a day?
-- Parameters: from_day Date (the day, UTC).
-- Comes out: a row for each version that held on it: zone, name, kind, version, from and until
--   when.
SELECT zone_id, name, kind, version, valid_from, valid_until
FROM v_zones
WHERE NOT is_removed AND valid_from < toDateTime({from_day:Date} + 1, 'UTC')
  AND valid_until > toDateTime({from_day:Date}, 'UTC')
ORDER BY zone_id, version
