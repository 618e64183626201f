-- What is personal of a notification comes sealed, beside it. Older rows hold it in the text.

ALTER TABLE in_notifications ADD COLUMN IF NOT EXISTS personal String;

ALTER TABLE notification_bodies ADD COLUMN IF NOT EXISTS personal String CODEC(NONE);

-- Sealed bytes do not compress; they count as part of the text where pages are measured.
ALTER TABLE in_notifications_to_notification_bodies MODIFY QUERY
SELECT m.d AS tracking_number, m.ki AS topic_id, m.kp AS k_partition, m.ko AS k_offset,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at,
       length(notification) + length(personal) AS body_bytes,
       notification AS body, image, personal
FROM in_notifications;
