-- Notifications of shipments: texts that hold personal data apart, and what analysts may see. Rows
-- of one shipment are in recorded order: by topic, partition and offset of the notification.

-- When each topic of notifications was first written to. A topic that was created again has
-- another id, and its records come after those of the one before it, whatever their offsets.
CREATE TABLE IF NOT EXISTS notification_topics
(
    topic_id String                                              CODEC(ZSTD(1)),
    since    SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY topic_id
SETTINGS non_replicated_deduplication_window = 10000;

-- Numbers of test shipments, which stay out of the views of analysts. They are kept twice as long
-- as rows, so that no notification outlives the number that excludes it.
CREATE TABLE IF NOT EXISTS test_shipments
(
    tracking_number String                 CODEC(ZSTD(1)),
    authorized_at   DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY tracking_number
TTL toDateTime(authorized_at) + INTERVAL 800 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_authorizations_to_test_shipments
TO test_shipments AS
SELECT tracking_number, fromUnixTimestamp64Milli(at_ms, 'UTC') AS authorized_at
FROM in_authorizations
WHERE type = 'ShipmentAuthorized' AND test AND tracking_number != '';

-- The notification as it is in the log, byte for byte. What is personal is sealed beside it
-- (`personal`, which does not compress). Only the user history reads this table. Granules are
-- short, because rows are long and read by shipment.
CREATE TABLE IF NOT EXISTS notification_bodies
(
    tracking_number String                 CODEC(ZSTD(1)),
    topic_id        LowCardinality(String) CODEC(ZSTD(1)),
    k_partition     UInt16                 CODEC(ZSTD(1)),
    k_offset        UInt64                 CODEC(Delta, ZSTD(1)),
    received_at     DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    body_bytes      UInt32                 CODEC(ZSTD(1)),
    body            String                 CODEC(ZSTD(3)),
    image           String                 CODEC(ZSTD(3)),
    personal String CODEC(NONE)
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (tracking_number, topic_id, k_partition, k_offset)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 512;

-- The same notifications without a person: no name, document, plate, phone, street or comment.
CREATE TABLE IF NOT EXISTS shipment_notifications
(
    tracking_number         String                         CODEC(ZSTD(1)),
    topic_id                LowCardinality(String)         CODEC(ZSTD(1)),
    k_partition             UInt16                         CODEC(ZSTD(1)),
    k_offset                UInt64                         CODEC(Delta, ZSTD(1)),
    client_id               LowCardinality(String)         CODEC(ZSTD(1)),
    code                    LowCardinality(String)         CODEC(ZSTD(1)),
    carrier_code            LowCardinality(String)         CODEC(ZSTD(1)),
    occurred_at             DateTime64(3, 'UTC')           CODEC(ZSTD(1)),
    reason                  LowCardinality(String)         CODEC(ZSTD(1)),
    country_id              LowCardinality(String)         CODEC(ZSTD(1)),
    city                    LowCardinality(String)         CODEC(ZSTD(1)),
    facility                LowCardinality(String)         CODEC(ZSTD(1)),
    agency_id               String                         CODEC(ZSTD(1)),
    cost                    Nullable(Float64)              CODEC(ZSTD(1)),
    weight                  Nullable(Float64)              CODEC(ZSTD(1)),
    estimated_pickup_date   Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    estimated_delivery_date Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    has_image               Bool                           CODEC(ZSTD(1)),
    image_type              LowCardinality(String)         CODEC(ZSTD(1)),
    image_flag              LowCardinality(String)         CODEC(ZSTD(1)),
    received_at             DateTime64(3, 'UTC')           CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (tracking_number, topic_id, k_partition, k_offset)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- A notification as it is in the log, with m in front as in in_locations; ki is the id of the
-- topic. Objects come as their text, so that every number stays as it was written.
CREATE TABLE IF NOT EXISTS in_notifications
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64,
            ki String),
    notification String,
    image String,
    personal String
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_notifications_to_notification_topics
TO notification_topics AS
SELECT m.ki AS topic_id, min(fromUnixTimestamp64Milli(m.r, 'UTC')) AS since
FROM in_notifications
GROUP BY topic_id;

-- The sealed part counts as part of the text where pages are measured.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_notifications_to_notification_bodies
TO notification_bodies AS
SELECT m.d AS tracking_number, m.ki AS topic_id, m.kp AS k_partition, m.ko AS k_offset,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at,
       length(notification) + length(personal) AS body_bytes,
       notification AS body, image, personal
FROM in_notifications;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_notifications_to_shipment_notifications
TO shipment_notifications AS
WITH
    text -> parseDateTime64BestEffortOrNull(
        replaceRegexpOne(replaceRegexpOne(replaceOne(upper(text), ',', '.'),
            '(T\\d\\d:\\d\\d)([Z+-])', '\\1:00\\2'),
            '(\\.\\d{3})\\d+', '\\1'), 3, 'UTC') AS instant,
    JSONExtractRaw(notification, 'payload') AS payload,
    JSONExtractRaw(payload, 'location') AS place
SELECT m.d AS tracking_number, m.ki AS topic_id, m.kp AS k_partition, m.ko AS k_offset,
       m.o AS client_id,
       JSONExtractString(notification, 'code') AS code,
       JSONExtractString(notification, 'carrier_code') AS carrier_code,
       ifNull(instant(JSONExtractString(payload, 'date')),
           fromUnixTimestamp64Milli(0, 'UTC')) AS occurred_at,
       JSONExtractString(payload, 'reason') AS reason,
       JSONExtractString(place, 'country_id') AS country_id,
       JSONExtractString(place, 'city_name') AS city,
       JSONExtractString(place, 'facility') AS facility,
       JSONExtractString(payload, 'agency_id') AS agency_id,
       JSONExtract(payload, 'cost', 'Nullable(Float64)') AS cost,
       JSONExtract(payload, 'dimensions', 'weight', 'Nullable(Float64)') AS weight,
       instant(JSONExtractString(payload, 'estimated_pickup_date')) AS estimated_pickup_date,
       instant(JSONExtractString(payload, 'estimated_delivery_date')) AS estimated_delivery_date,
       image != '' AS has_image,
       JSONExtractString(image, 'media_type') AS image_type,
       JSONExtractString(image, 'flag') AS image_flag,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at
FROM in_notifications;

-- Numbers that this platform gives to test requests are TEST and 21 characters; those of other
-- carriers are known by the authorization that they answered.
CREATE VIEW IF NOT EXISTS v_notifications
(
    tracking_number         String                         COMMENT 'Shipping identifier.',
    code                    LowCardinality(String)         COMMENT 'Event code of the platform.',
    carrier_code            LowCardinality(String)
        COMMENT 'The carrier''s own event code.',
    occurred_at             DateTime64(3, 'UTC')
        COMMENT 'When it happened by the carrier (payload.date), UTC milliseconds.',
    reason                  LowCardinality(String)
        COMMENT 'Specific reason as sent, or empty.',
    country_id              LowCardinality(String)
        COMMENT 'Country where it happened as sent, or empty.',
    country_code            String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    city                    LowCardinality(String)
        COMMENT 'City where it happened, or empty.',
    facility                LowCardinality(String)
        COMMENT 'Logistics center where it happened, or empty.',
    agency_id               String                         COMMENT 'Agency, or empty.',
    cost                    Nullable(Float64)              COMMENT 'Cost of the item as sent.',
    weight                  Nullable(Float64)              COMMENT 'Gross weight, grams.',
    estimated_pickup_date   Nullable(DateTime64(3, 'UTC'))
        COMMENT 'Estimated pickup, UTC milliseconds.',
    estimated_delivery_date Nullable(DateTime64(3, 'UTC'))
        COMMENT 'Estimated delivery, UTC milliseconds.',
    has_image               Bool
        COMMENT 'True when a proof of delivery was sent as an image.',
    image_type              LowCardinality(String)
        COMMENT 'Kind of that image by its first bytes, unknown, or empty for none.',
    image_flag              LowCardinality(String)
        COMMENT 'Why the kind is unknown: unknown_type, not_base64, or empty.',
    client_id               LowCardinality(String)         COMMENT 'Client that notified.',
    received_at             DateTime64(3, 'UTC')
        COMMENT 'When the gateway received it, UTC milliseconds.',
    topic_id                String
        COMMENT 'Topic of the log that holds the record; a topic made anew has another.',
    k_partition             UInt16
        COMMENT 'Partition of the log that holds the record.',
    k_offset                UInt64
        COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT tracking_number, code, carrier_code, occurred_at, reason, country_id,
          if(joinGet({database}.country_codes, 'code', upper(country_id)) = '', upper(country_id),
             joinGet({database}.country_codes, 'code', upper(country_id))) AS country_code,
          city, facility, agency_id, cost, weight, estimated_pickup_date,
          estimated_delivery_date, has_image, image_type, image_flag, client_id, received_at,
          topic_id, k_partition, k_offset
   FROM shipment_notifications FINAL
   WHERE NOT match(tracking_number, '^TEST[0-9A-Z]{21}$')
     AND tracking_number NOT IN (SELECT tracking_number FROM test_shipments)
COMMENT 'A row for each notification of a shipment as it was recorded; no tests, no persons.';
