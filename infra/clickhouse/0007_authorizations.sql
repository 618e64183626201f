-- Authorizations of shipments: only what analysts may see, so no person, street or keyword.

-- One row per fact. Identity is client, transport order, epoch and kind; refusals have no epoch
-- and differ by their time. k_rank lets the first sending of a fact win.
CREATE TABLE IF NOT EXISTS shipment_authorizations
(
    client_id           LowCardinality(String) CODEC(ZSTD(1)),
    transport_order_id  String                 CODEC(ZSTD(1)),
    epoch               UInt32                 CODEC(ZSTD(1)),
    kind                LowCardinality(String) CODEC(ZSTD(1)),
    refused_at_ms       Int64                  CODEC(ZSTD(1)),
    shipment_id         String                 CODEC(ZSTD(1)),
    tracking_number     String                 CODEC(ZSTD(1)),
    error_code          LowCardinality(String) CODEC(ZSTD(1)),
    test                Bool                   CODEC(ZSTD(1)),
    direction           LowCardinality(String) CODEC(ZSTD(1)),
    contract            LowCardinality(String) CODEC(ZSTD(1)),
    sender_country_id   LowCardinality(String) CODEC(ZSTD(1)),
    sender_city         LowCardinality(String) CODEC(ZSTD(1)),
    receiver_country_id LowCardinality(String) CODEC(ZSTD(1)),
    receiver_city       LowCardinality(String) CODEC(ZSTD(1)),
    items               UInt32                 CODEC(ZSTD(1)),
    at                  DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    received_at         DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition         UInt16                 CODEC(ZSTD(1)),
    k_rank              UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    INDEX ix_tracking_number tracking_number TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (client_id, transport_order_id, epoch, kind, refused_at_ms)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- A fact as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_authorizations
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    type String,
    client_id String,
    transport_order_id String,
    shipment_id String,
    epoch UInt32,
    tracking_number String,
    error_code String,
    changed Array(String),
    content_hash String,
    test Bool,
    at_ms Int64,
    request Tuple(
        direction String,
        carrier_information Tuple(contract String),
        shipment_information Tuple(
            sender Tuple(address Tuple(
                city Tuple(id String, name String), country Tuple(id String, name String))),
            receiver Tuple(address Tuple(
                city Tuple(id String, name String), country Tuple(id String, name String))),
            package Tuple(items Array(Tuple(item_id String)))))
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_authorizations_to_shipment_authorizations
TO shipment_authorizations AS
WITH
    request.shipment_information AS shipment,
    place -> if(place.name != '', place.name, place.id) AS shown
SELECT client_id, transport_order_id, epoch,
       transform(type, ['ShipmentAuthorized', 'ShipmentCancelled', 'AuthorizationRefused'],
           ['authorized', 'cancelled', 'refused'], '') AS kind,
       if(kind = 'refused', at_ms, 0) AS refused_at_ms,
       shipment_id, tracking_number, error_code, test,
       request.direction AS direction, request.carrier_information.contract AS contract,
       shipment.sender.address.country.id AS sender_country_id,
       shown(shipment.sender.address.city) AS sender_city,
       shipment.receiver.address.country.id AS receiver_country_id,
       shown(shipment.receiver.address.city) AS receiver_city,
       length(shipment.package.items.item_id) AS items,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at,
       m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_authorizations
WHERE type NOT IN ('ShipmentReassigned', 'AuthorizationChangeAsked');

-- A repeat that asked for something else: one row for each content, however often it was sent.
CREATE TABLE IF NOT EXISTS authorization_changes
(
    client_id          LowCardinality(String) CODEC(ZSTD(1)),
    transport_order_id String                 CODEC(ZSTD(1)),
    epoch              UInt32                 CODEC(ZSTD(1)),
    content_hash       String                 CODEC(ZSTD(1)),
    shipment_id        String                 CODEC(ZSTD(1)),
    tracking_number    String                 CODEC(ZSTD(1)),
    changed            Array(String)          CODEC(ZSTD(1)),
    test               Bool                   CODEC(ZSTD(1)),
    at                 DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    received_at        DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition        UInt16                 CODEC(ZSTD(1)),
    k_rank             UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (client_id, transport_order_id, epoch, content_hash)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_authorizations_to_authorization_changes
TO authorization_changes AS
SELECT client_id, transport_order_id, epoch, content_hash, shipment_id, tracking_number, changed,
       test, fromUnixTimestamp64Milli(at_ms, 'UTC') AS at,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at,
       m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_authorizations
WHERE type = 'AuthorizationChangeAsked';

CREATE VIEW IF NOT EXISTS v_authorization_changes
(
    client_id          String               COMMENT 'Client that asked.',
    transport_order_id String               COMMENT 'Identifier of the transport leg.',
    shipment_id        String               COMMENT 'Shipment id of the platform, as text.',
    epoch              UInt32               COMMENT 'Which authorization it asked to change.',
    tracking_number    String               COMMENT 'Tracking number, which stays.',
    changed            Array(String)
        COMMENT 'Parts of the request that differ from what is authorized, as pointers.',
    content_hash       String               COMMENT 'By which the same change is known again.',
    asked_at           DateTime64(3, 'UTC') COMMENT 'When it was asked for, UTC milliseconds.',
    received_at        DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the request, UTC milliseconds.',
    k_partition        UInt16               COMMENT 'Partition of the log that holds the record.',
    k_offset           UInt64               COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT client_id, transport_order_id, shipment_id, epoch, tracking_number, changed,
          content_hash, at AS asked_at, received_at, k_partition, bitNot(k_rank) AS k_offset
   FROM authorization_changes FINAL
   WHERE NOT test
COMMENT 'Repeats of an authorization with other content: recorded, and not applied. No tests.';

CREATE VIEW IF NOT EXISTS v_authorizations
(
    client_id           String               COMMENT 'Client that asked.',
    transport_order_id  String               COMMENT 'Identifier of the transport leg.',
    shipment_id         String               COMMENT 'Shipment id of the platform, as text.',
    epoch               UInt32
        COMMENT 'Which authorization of the transport order, from 1; a cancellation ends it.',
    tracking_number     String               COMMENT 'Tracking number of the epoch.',
    status              String               COMMENT 'authorized or cancelled.',
    authorized_at       DateTime64(3, 'UTC') COMMENT 'When it was authorized, UTC milliseconds.',
    cancelled_at        Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it was cancelled, UTC milliseconds.',
    direction           String               COMMENT 'forward, return or empty when not sent.',
    contract            String               COMMENT 'Contract of the carrier, or empty.',
    sender_country_id   String               COMMENT 'Country of the sender as sent.',
    sender_country_code String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    sender_city         String               COMMENT 'City of the sender: its name, else its id.',
    receiver_country_id String               COMMENT 'Country of the receiver as sent.',
    receiver_country_code String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    receiver_city       String               COMMENT 'City of the receiver: its name, else its id.',
    items               UInt32               COMMENT 'Items of the package.',
    received_at         DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the request, UTC milliseconds.',
    k_partition         UInt16               COMMENT 'Partition of the log that holds the record.',
    k_offset            UInt64               COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT a.client_id, a.transport_order_id, a.shipment_id, a.epoch, a.tracking_number,
          if(c.is_cancelled, 'cancelled', 'authorized') AS status, a.at AS authorized_at,
          if(c.is_cancelled, c.cancelled, NULL) AS cancelled_at, a.direction, a.contract,
          a.sender_country_id,
          if(joinGet({database}.country_codes, 'code', upper(a.sender_country_id)) = '',
             upper(a.sender_country_id),
             joinGet({database}.country_codes, 'code', upper(a.sender_country_id)))
             AS sender_country_code,
          a.sender_city, a.receiver_country_id,
          if(joinGet({database}.country_codes, 'code', upper(a.receiver_country_id)) = '',
             upper(a.receiver_country_id),
             joinGet({database}.country_codes, 'code', upper(a.receiver_country_id)))
             AS receiver_country_code,
          a.receiver_city, a.items,
          a.received_at, a.k_partition, bitNot(a.k_rank) AS k_offset
   FROM (SELECT * FROM shipment_authorizations FINAL WHERE kind = 'authorized' AND NOT test) AS a
   LEFT JOIN (SELECT client_id, transport_order_id, epoch, at AS cancelled, true AS is_cancelled
              FROM shipment_authorizations FINAL WHERE kind = 'cancelled') AS c
   ON a.client_id = c.client_id AND a.transport_order_id = c.transport_order_id
      AND a.epoch = c.epoch
COMMENT
    'A row for each authorization of a shipment, with its cancellation; no tests, no persons.';

CREATE VIEW IF NOT EXISTS v_authorization_refusals
(
    client_id          String               COMMENT 'Client that asked.',
    transport_order_id String               COMMENT 'Identifier of the transport leg.',
    shipment_id        String               COMMENT 'Shipment identifier of the platform, as text.',
    error_code         String               COMMENT 'Which rule of the carrier refused.',
    refused_at         DateTime64(3, 'UTC') COMMENT 'When, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT client_id, transport_order_id, shipment_id, error_code, at AS refused_at
   FROM shipment_authorizations FINAL
   WHERE kind = 'refused' AND NOT test
COMMENT 'A row for each refused authorization.';
