-- Which devices visited a zone, and how long did they stay?
-- Parameters: zone String (its id), since DateTime('UTC') (from), until DateTime('UTC')
--   (to before).
-- Comes out: a row for each visit that began in this time: device, enter, leave, minutes, whether
--   it is still there.
SELECT device_id, enter_ts, leave_ts, dwell_s / 60 AS minutes, is_open
FROM v_visits
WHERE zone_id = {zone:String} AND enter_ts >= {since:DateTime('UTC')}
  AND enter_ts < {until:DateTime('UTC')}
ORDER BY enter_ts, device_id
