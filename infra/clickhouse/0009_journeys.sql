-- The outcome of each notification, and the state of each shipment.

-- One row per notification, named by its record id. The log of journeys may repeat an outcome
-- after a crash; the first one wins, as in the state store.
CREATE TABLE IF NOT EXISTS shipment_journeys
(
    tracking_number        String                 CODEC(ZSTD(1)),
    topic_id               LowCardinality(String) CODEC(ZSTD(1)),
    notification_partition UInt16                 CODEC(ZSTD(1)),
    notification_offset    UInt64                 CODEC(Delta, ZSTD(1)),
    client_id              LowCardinality(String) CODEC(ZSTD(1)),
    ingest_id              String                 CODEC(ZSTD(1)),
    source                 LowCardinality(String) CODEC(ZSTD(1)),
    code                   LowCardinality(String) CODEC(ZSTD(1)),
    carrier_code           LowCardinality(String) CODEC(ZSTD(1)),
    occurred_at            String                 CODEC(ZSTD(1)),
    received_at            DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    outcome                LowCardinality(String) CODEC(ZSTD(1)),
    rule                   LowCardinality(String) CODEC(ZSTD(1)),
    unmapped               Bool                   CODEC(ZSTD(1)),
    lacks                  Array(String)          CODEC(ZSTD(1)),
    status_before          LowCardinality(String) CODEC(ZSTD(1)),
    content_hash           String                 CODEC(ZSTD(1)),
    catalogue              LowCardinality(String) CODEC(ZSTD(1)),
    carrier                LowCardinality(String) CODEC(ZSTD(1)),
    has_state              Bool                   CODEC(ZSTD(1)),
    status                 LowCardinality(String) CODEC(ZSTD(1)),
    state_code             LowCardinality(String) CODEC(ZSTD(1)),
    state_carrier_code     LowCardinality(String) CODEC(ZSTD(1)),
    final                  Bool                   CODEC(ZSTD(1)),
    state_occurred_at_ms   Int64                  CODEC(ZSTD(1)),
    reapplies_topic_id       LowCardinality(String) CODEC(ZSTD(1)),
    reapplies_partition      UInt16                 CODEC(ZSTD(1)),
    reapplies_offset         UInt64                 CODEC(ZSTD(1)),
    k_partition            UInt16                 CODEC(ZSTD(1)),
    k_rank                 UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (tracking_number, topic_id, notification_partition, notification_offset)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 1024;

-- An outcome as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_journeys
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    tracking_number String,
    client_id String,
    ingest_id String,
    source String,
    notification Tuple(topic_id String, partition UInt16, offset UInt64),
    code String,
    carrier_code String,
    occurred_at String,
    received_at_ms Int64,
    outcome String,
    rule String,
    unmapped Bool,
    lacks Array(String),
    status_before String,
    content_hash String,
    catalogue String,
    carrier String,
    reapplies Tuple(topic_id String, partition UInt16, offset UInt64),
    state Tuple(status String, code String, carrier_code String, final Bool, occurred_at_ms Int64)
)
ENGINE = Null;

-- A state always has a code; a row without one is no state.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_journeys_to_shipment_journeys TO shipment_journeys AS
SELECT tracking_number, notification.topic_id AS topic_id,
       notification.partition AS notification_partition,
       notification.offset AS notification_offset, client_id, ingest_id, source, code,
       carrier_code, occurred_at, fromUnixTimestamp64Milli(received_at_ms, 'UTC') AS received_at,
       outcome, rule, unmapped, lacks, status_before, content_hash, catalogue, carrier,
       state.code != '' AS has_state, state.status AS status, state.code AS state_code,
       state.carrier_code AS state_carrier_code, state.final AS final,
       state.occurred_at_ms AS state_occurred_at_ms, reapplies.topic_id AS reapplies_topic_id,
       reapplies.partition AS reapplies_partition, reapplies.offset AS reapplies_offset,
       m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_journeys;

-- An outcome may come before its notification: the two topics are read side by side.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_journeys_to_notification_topics
TO notification_topics AS
SELECT notification.topic_id AS topic_id,
       min(fromUnixTimestamp64Milli(received_at_ms, 'UTC')) AS since
FROM in_journeys
GROUP BY topic_id;

CREATE VIEW IF NOT EXISTS v_journeys
(
    tracking_number     String                         COMMENT 'Shipping identifier.',
    code                LowCardinality(String)         COMMENT 'Event code of the platform.',
    carrier_code        LowCardinality(String)         COMMENT 'The carrier''s own event code.',
    occurred_at         DateTime64(3, 'UTC')
        COMMENT 'When it happened by the carrier (payload.date), UTC milliseconds.',
    outcome             LowCardinality(String)
        COMMENT 'applied, duplicate, out_of_order, ignored_after_final or disputed.',
    rule                LowCardinality(String)         COMMENT 'The rule that decided.',
    unmapped            Bool
        COMMENT 'True when the catalogue does not know the code, or not with this carrier code.',
    lacks               Array(String)
        COMMENT 'Pointers to fields that the catalogue wants of its code and it has not.',
    status_before       LowCardinality(String)
        COMMENT 'Canonical status before it, empty when there was none.',
    status              LowCardinality(String)
        COMMENT 'Canonical status after it, empty when there is none.',
    final               Bool
        COMMENT 'True when the shipment is final after it: nothing changes any more.',
    source              LowCardinality(String)
        COMMENT 'push when the carrier sent it, pull when it was fetched.',
    client_id           LowCardinality(String)         COMMENT 'Client of the carrier.',
    carrier             LowCardinality(String)
        COMMENT 'Client whose shipment it is: as declared, else that which notified it first.',
    catalogue           LowCardinality(String)
        COMMENT 'Version of the code catalogue that was applied.',
    content_hash        String
        COMMENT 'SHA-256 of codes and content, by which a repeat is known.',
    ingest_id           String
        COMMENT 'Id of the accepted call, or of the page that was pulled.',
    received_at         DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the notification, UTC milliseconds.',
    topic_id            String
        COMMENT 'Topic of the notification, as in v_notifications.',
    k_partition         UInt16
        COMMENT 'Partition of the notification, as in v_notifications.',
    k_offset            UInt64
        COMMENT 'Offset of the notification, as in v_notifications.',
    journey_k_partition UInt16
        COMMENT 'Partition of the log of journeys that holds the record.',
    journey_k_offset    UInt64                         COMMENT 'Offset of the record there.',
    reapplies_topic_id    String
        COMMENT 'Of one that was kept apart and applied later: its topic then, else empty.',
    reapplies_k_partition UInt16                         COMMENT 'Its partition then.',
    reapplies_k_offset    UInt64                         COMMENT 'Its offset then.'
)
SQL SECURITY DEFINER
AS SELECT tracking_number, code, carrier_code,
          parseDateTime64BestEffortOrZero(
              replaceRegexpOne(replaceRegexpOne(replaceOne(upper(j.occurred_at), ',', '.'),
                  '(T\\d\\d:\\d\\d)([Z+-])', '\\1:00\\2'), '(\\.\\d{3})\\d+', '\\1'), 3, 'UTC')
              AS occurred_at,
          outcome, rule, unmapped, lacks, status_before, status, final, source, client_id, carrier,
          catalogue, content_hash, ingest_id, received_at, topic_id,
          notification_partition AS k_partition, notification_offset AS k_offset,
          j.k_partition AS journey_k_partition, bitNot(k_rank) AS journey_k_offset,
          reapplies_topic_id, reapplies_partition AS reapplies_k_partition,
          reapplies_offset AS reapplies_k_offset
   FROM shipment_journeys AS j FINAL
   WHERE NOT match(tracking_number, '^TEST[0-9A-Z]{21}$')
     AND tracking_number NOT IN (SELECT tracking_number FROM test_shipments)
COMMENT 'What came of each notification, and the status before and after it.';

-- The newest row in recorded order wins: its state includes everything before it.
CREATE VIEW IF NOT EXISTS v_shipment_last
(
    tracking_number   String                 COMMENT 'Shipping identifier.',
    carrier           String                 COMMENT 'Client that notified the shipment first.',
    status            String
        COMMENT 'Canonical status, empty while no mapped code was applied.',
    code              String
        COMMENT 'Event code of the last applied notification, empty when none was.',
    carrier_code      String                 COMMENT 'The carrier''s code beside it.',
    final             Bool
        COMMENT 'True once a final code was applied: nothing changes any more.',
    occurred_at       Nullable(DateTime64(3, 'UTC'))
        COMMENT 'payload.date of the last applied notification, UTC milliseconds.',
    notifications     UInt64
        COMMENT 'Notifications judged, of whatever outcome; of those kept (400 days).',
    ignored           UInt64
        COMMENT 'Of these: all that were not applied.',
    first_received_at DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the earliest of them, UTC milliseconds.',
    last_received_at  DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the latest of them, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT tracking_number, last.1 AS carrier, last.2 AS status, last.3 AS code,
          last.4 AS carrier_code, last.5 AS final,
          if(last.6, fromUnixTimestamp64Milli(last.7, 'UTC'), NULL) AS occurred_at,
          notifications, ignored, first_received_at, last_received_at
   FROM (SELECT j.tracking_number AS tracking_number, count() AS notifications,
                countIf(j.outcome != 'applied') AS ignored,
                min(j.received_at) AS first_received_at, max(j.received_at) AS last_received_at,
                argMax((j.carrier, j.status, j.state_code, j.state_carrier_code, j.final,
                        j.has_state, j.state_occurred_at_ms),
                       (t.first, j.topic_id, j.notification_partition, j.notification_offset))
                    AS last
         FROM (SELECT * FROM shipment_journeys FINAL) AS j
         INNER JOIN (SELECT topic_id, min(since) AS first
                     FROM notification_topics GROUP BY topic_id) AS t
         ON j.topic_id = t.topic_id
         WHERE NOT match(tracking_number, '^TEST[0-9A-Z]{21}$')
           AND tracking_number NOT IN (SELECT tracking_number FROM test_shipments)
         GROUP BY j.tracking_number)
COMMENT 'Where each shipment stands.';

-- A traceable of the type shipment is the shipment of which it has the platform's id (shipment_id
-- of the authorization) or the tracking number. Of one that was authorized again the last epoch
-- counts.
CREATE VIEW IF NOT EXISTS v_shipment_traceables
(
    traceable_type     String COMMENT 'Always shipment, as in v_delivery_locations.',
    traceable_id       String
        COMMENT 'Id of the traceable: the shipment_id or the tracking_number of this row.',
    shipment_id        String COMMENT 'Shipment id of the platform, as text.',
    tracking_number    String COMMENT 'Tracking number, as in v_shipment_last.',
    transport_order_id String COMMENT 'Identifier of the transport leg.',
    client_id          String COMMENT 'Client that authorized it: the carrier.'
)
SQL SECURITY DEFINER
AS SELECT 'shipment' AS traceable_type, traceable_id, last.2 AS shipment_id,
          last.3 AS tracking_number, last.4 AS transport_order_id, last.5 AS client_id
   FROM (SELECT traceable_id,
                argMax((epoch, shipment_id, tracking_number, transport_order_id, client_id),
                       (authorized_at, epoch)) AS last
         FROM v_authorizations
         ARRAY JOIN arrayDistinct(arrayFilter(id -> id != '', [shipment_id, tracking_number]))
             AS traceable_id
         GROUP BY traceable_id)
COMMENT 'By which ids of traceables deliveries and shipments are joined.';

CREATE VIEW IF NOT EXISTS v_shipment_places
(
    tracking_number String               COMMENT 'Tracking number, as in v_shipment_last.',
    shipment_id     String               COMMENT 'Shipment id of the platform, as text.',
    status          String
        COMMENT 'Canonical status, as in v_shipment_last; empty without a notification.',
    final           Bool                 COMMENT 'True once nothing changes any more.',
    ts              DateTime('UTC')      COMMENT 'Time of its newest place, UTC seconds.',
    latitude        Float64              COMMENT 'Degrees.',
    longitude       Float64              COMMENT 'Degrees.',
    provider        String               COMMENT 'Provider that reports what carries it.',
    external_type   String               COMMENT 'Type of the driver''s external entity.',
    external_id     String               COMMENT 'Id of the driver''s external entity.',
    client_id       String               COMMENT 'Client that reports the traceable.',
    traceable_id    String               COMMENT 'The traceable, as in v_traceable_last.'
)
SQL SECURITY DEFINER
AS SELECT s.tracking_number AS tracking_number, s.shipment_id AS shipment_id, l.status AS status,
          l.final AS final, t.ts AS ts, t.latitude AS latitude, t.longitude AS longitude,
          t.provider AS provider, t.external_type AS external_type, t.external_id AS external_id,
          t.client_id AS client_id, t.traceable_id AS traceable_id
   FROM (SELECT * FROM v_traceable_last WHERE traceable_type = 'shipment') AS t
   INNER JOIN v_shipment_traceables AS s ON s.traceable_id = t.traceable_id
   LEFT JOIN (SELECT tracking_number, status, final FROM v_shipment_last) AS l
   ON l.tracking_number = s.tracking_number
COMMENT 'Where each shipment is that a driver carries, and how it stands.';
