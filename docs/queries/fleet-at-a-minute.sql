-- Where was each device at a minute of the past?
-- Parameters: at DateTime('UTC') (any time of the minute).
-- Comes out: a row for each device that was heard of in the day until the end of that minute: its
--   last fix, and how many seconds before the end of the minute it was.
SELECT device_id, ts, latitude, longitude, country_id, provider,
       toUnixTimestamp(toStartOfMinute({at:DateTime('UTC')})) + 60 - toUnixTimestamp(ts) AS age_s
FROM v_fleet_at(at = {at:DateTime('UTC')})
ORDER BY device_id
