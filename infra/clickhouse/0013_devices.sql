-- Registrations, starts and stops of devices. The names that an owner gives to a device and its
-- equipment stay in the log (ADR 0015): the landing table does not name these members, so nothing
-- keeps them.

-- One row per fact. A device takes each of its three steps once (ADR 0002); the log has a second
-- fact of a step only where the outcome of the first was unknown. Both stay here, and the views
-- show the one that counts in the state store: the earliest by its own time, whichever the log has
-- first. k_rank keeps the first of two equal ones. Rows do not expire: the log keeps these facts
-- without end, and the stage of a device must be known as long as it sends.
CREATE TABLE IF NOT EXISTS device_lifecycle
(
    device_id    String                 CODEC(ZSTD(1)),
    epoch        UInt8                  CODEC(ZSTD(1)),
    client_id    LowCardinality(String) CODEC(ZSTD(1)),
    country_id   LowCardinality(String) CODEC(ZSTD(1)),
    generation   UInt64                 CODEC(ZSTD(1)),
    entity_type  LowCardinality(String) CODEC(ZSTD(1)),
    transport_id Int64                  CODEC(ZSTD(1)),
    device_type  LowCardinality(String) CODEC(ZSTD(1)),
    brand        LowCardinality(String) CODEC(ZSTD(1)),
    model        LowCardinality(String) CODEC(ZSTD(1)),
    at           DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    received_at  DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition  UInt16                 CODEC(ZSTD(1)),
    k_rank       UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PRIMARY KEY (device_id, epoch)
ORDER BY (device_id, epoch, at, transport_id, device_type, brand, model, country_id, generation,
          entity_type)
SETTINGS non_replicated_deduplication_window = 10000;

-- A fact as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_device_lifecycle
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    device_id String,
    client_id String,
    epoch UInt8,
    generation UInt64,
    entity_type String,
    transport_id Int64,
    device_specs Tuple(device_type String, brand String, model String),
    country_id String,
    at_ms Int64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_device_lifecycle_to_device_lifecycle
TO device_lifecycle AS
SELECT device_id, epoch, client_id, country_id, generation, entity_type, transport_id,
       device_specs.device_type AS device_type, device_specs.brand AS brand,
       device_specs.model AS model, fromUnixTimestamp64Milli(at_ms, 'UTC') AS at,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_device_lifecycle;

CREATE VIEW IF NOT EXISTS v_device_lifecycle
(
    device_id    String                 COMMENT 'RTT device id.',
    step         LowCardinality(String) COMMENT 'registered, started or stopped.',
    at           DateTime64(3, 'UTC')
        COMMENT 'When it was decided, by the gateway''s clock, UTC milliseconds.',
    client_id    LowCardinality(String) COMMENT 'Client that owns the device.',
    country_id   LowCardinality(String) COMMENT 'Country of the call.',
    received_at  DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the call, UTC milliseconds.',
    k_partition  UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset     UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, transform(epoch, [1, 2, 3], ['registered', 'started', 'stopped'], '') AS step,
          fact.1 AS at, fact.4 AS client_id, fact.3 AS country_id, fact.5 AS received_at,
          fact.6 AS k_partition, fact.7 AS k_offset
   FROM (
       SELECT device_id, epoch,
              -- Of two of one millisecond the smaller text counts, as in the state store.
              min((at, concat(toString(transport_id), '\x1f', device_type, '\x1f', brand, '\x1f',
                              model),
                   toString(country_id), toString(client_id), received_at, k_partition,
                   bitNot(k_rank))) AS fact
       FROM device_lifecycle FINAL
       GROUP BY device_id, epoch
       SETTINGS optimize_aggregation_in_order = 1
   )
COMMENT 'A row for each registration, start and stop of a device.';

-- Grouped in the order of the key, which takes about half the memory of a hash.
CREATE VIEW IF NOT EXISTS v_devices
(
    device_id     String                 COMMENT 'RTT device id: one life of an entity.',
    client_id     LowCardinality(String) COMMENT 'Client that owns the device.',
    status        LowCardinality(String)
        COMMENT 'registered (may not send yet), tracking (may send) or stopped (for ever).',
    entity_type   LowCardinality(String)
        COMMENT 'Type of the entity, as its provider names it; the name itself is not here.',
    generation    UInt64                 COMMENT 'Which life of the same entity this is, from 1.',
    transport_id  Int64                  COMMENT 'Transport of the registration.',
    country_id    LowCardinality(String) COMMENT 'Country of the call that registered it.',
    device_type   LowCardinality(String)
        COMMENT 'MOBILE, GPS, OBD or OTHER; empty when not sent.',
    brand         LowCardinality(String) COMMENT 'Brand of the device, empty when not sent.',
    model         LowCardinality(String) COMMENT 'Model of the device, empty when not sent.',
    registered_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it was registered, UTC milliseconds; NULL when not readable.',
    started_at    Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it might send from, UTC milliseconds; NULL when never.',
    stopped_at    Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it might not send any more, UTC milliseconds; NULL when not yet.',
    tracked_s     Nullable(Float64)
        COMMENT 'From start to stop, seconds; NULL unless both were.'
)
SQL SECURITY DEFINER
AS SELECT device_id, owner AS client_id,
          transform(stage, [1, 2, 3], ['registered', 'tracking', 'stopped'], '') AS status,
          registration.1 AS entity_type, registration.2 AS generation,
          registration.3 AS transport_id, registration.4 AS country_id,
          registration.5 AS device_type, registration.6 AS brand, registration.7 AS model,
          registered AS registered_at, started AS started_at, stopped AS stopped_at,
          (toUnixTimestamp64Milli(stopped) - toUnixTimestamp64Milli(started)) / 1000 AS tracked_s
   FROM (
       SELECT device_id, any(client_id) AS owner, max(epoch) AS stage,
              -- Of two of one millisecond the smaller text counts, as in the state store.
              argMinIf((toString(entity_type), generation, transport_id, toString(country_id),
                        toString(device_type), toString(brand), toString(model)),
                       (at, concat(toString(transport_id), '\x1f', device_type, '\x1f', brand,
                                   '\x1f', model), toString(country_id)),
                       epoch = 1) AS registration,
              minOrNullIf(at, epoch = 1) AS registered, minOrNullIf(at, epoch = 2) AS started,
              minOrNullIf(at, epoch = 3) AS stopped
       FROM device_lifecycle FINAL
       GROUP BY device_id
       SETTINGS optimize_aggregation_in_order = 1
   )
COMMENT 'A row for each device: what it is, and from when until when it was tracked.';
