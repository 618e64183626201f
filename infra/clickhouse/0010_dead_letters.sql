-- Records that could not be applied, with their raw bytes, and what was done about them.
-- The origin of a dead letter is the record id (topic id, partition, offset) of the record. A
-- replayed record (header replayed-from) has a new offset but keeps its first record id: root_…
-- here, and k_partition, k_offset and topic_id in every other table, so that nothing is stored
-- twice.

-- One row per dead letter: the worker, the origin and the reason. A batch that comes again may
-- write its dead letters again; the first one stays. Values may hold personal data: only admin
-- reads this table, and rows expire when the log drops them.
CREATE TABLE IF NOT EXISTS dead_letters
(
    origin_topic     LowCardinality(String) CODEC(ZSTD(1)),
    origin_topic_id  LowCardinality(String) CODEC(ZSTD(1)),
    origin_partition UInt32                 CODEC(ZSTD(1)),
    origin_offset    UInt64                 CODEC(Delta, ZSTD(1)),
    worker           LowCardinality(String) CODEC(ZSTD(1)),
    stage            LowCardinality(String) CODEC(ZSTD(1)),
    code             LowCardinality(String) CODEC(ZSTD(1)),
    detail           String                 CODEC(ZSTD(3)),
    signature        String                 CODEC(ZSTD(1)),
    root_topic_id    LowCardinality(String) CODEC(ZSTD(1)),
    root_partition   UInt32                 CODEC(ZSTD(1)),
    root_offset      UInt64                 CODEC(Delta, ZSTD(1)),
    ingest_id        String                 CODEC(ZSTD(1)),
    client_id        LowCardinality(String) CODEC(ZSTD(1)),
    provider         LowCardinality(String) CODEC(ZSTD(1)),
    items            UInt32                 CODEC(ZSTD(1)),
    received_at      DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    key              String                 CODEC(ZSTD(3)),
    headers          String                 CODEC(ZSTD(3)),
    has_value        Bool                   CODEC(ZSTD(1)),
    value            String                 CODEC(ZSTD(3)) TTL toDateTime(at) + INTERVAL 30 DAY,
    code_version     LowCardinality(String) CODEC(ZSTD(1)),
    at               DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition      UInt16                 CODEC(ZSTD(1)),
    k_rank           UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(at)
ORDER BY (origin_topic, origin_topic_id, origin_partition, origin_offset, worker, stage, code)
TTL toDateTime(at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 256;

-- What was done. DeadLetterReplayed and DeadLetterDiscarded name the origin of a dead letter.
-- DeadLetterResumed names the root of a record that a worker applied in the order of its key.
CREATE TABLE IF NOT EXISTS dead_letter_repairs
(
    origin_topic     LowCardinality(String) CODEC(ZSTD(1)),
    origin_topic_id  LowCardinality(String) CODEC(ZSTD(1)),
    origin_partition UInt32                 CODEC(ZSTD(1)),
    origin_offset    UInt64                 CODEC(Delta, ZSTD(1)),
    type             LowCardinality(String) CODEC(ZSTD(1)),
    worker           LowCardinality(String) CODEC(ZSTD(1)),
    code_version     LowCardinality(String) CODEC(ZSTD(1)),
    at               DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition      UInt16                 CODEC(ZSTD(1)),
    k_rank           UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
ORDER BY (origin_topic, origin_topic_id, origin_partition, origin_offset, type, worker)
TTL toDateTime(at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 256;

-- A dead letter as it is in the log, with m in front as in in_locations. Everything that could be
-- refused is text here: a dead letter must always be stored.
CREATE TABLE IF NOT EXISTS in_dead_letters
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    origin Tuple(topic String, topic_id String, partition UInt32, offset UInt64,
                 key Nullable(String)),
    worker String,
    stage String,
    code String,
    detail String,
    headers String,
    value Nullable(String),
    code_version String,
    at_ms Int64
)
ENGINE = Null;

-- The signature is the first 16 hex digits of a SHA-256 over topic, stage, code and the detail
-- with # for every word that has a digit, divided by line breaks; `rastro dlq ls` computes the
-- same.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_dead_letters_to_dead_letters TO dead_letters AS
WITH
    extractGroups(JSONExtractString(headers, 'replayed-from'), '^(.+):(\\d{1,9}):(\\d{1,18})$')
        AS first,
    length(first) = 3 AS is_replayed
SELECT origin.topic AS origin_topic, origin.topic_id AS origin_topic_id,
       origin.partition AS origin_partition, origin.offset AS origin_offset, worker, stage, code,
       detail,
       substring(lower(hex(SHA256(concat(origin.topic, '\n', stage, '\n', code, '\n',
           replaceRegexpAll(detail, '[0-9A-Za-z_-]*[0-9][0-9A-Za-z_-]*', '#'))))), 1, 16)
           AS signature,
       if(is_replayed, first[1], origin.topic_id) AS root_topic_id,
       if(is_replayed, toUInt32OrZero(first[2]), origin.partition) AS root_partition,
       if(is_replayed, toUInt64OrZero(first[3]), origin.offset) AS root_offset,
       JSONExtractString(headers, 'ingest-id') AS ingest_id,
       JSONExtractString(headers, 'client') AS client_id,
       JSONExtractString(headers, 'provider') AS provider,
       toUInt32OrZero(JSONExtractString(headers, 'n')) AS items,
       fromUnixTimestamp64Milli(
           toInt64OrZero(JSONExtractString(headers, 'received-at')), 'UTC') AS received_at,
       tryBase64Decode(ifNull(origin.key, '')) AS key, headers, value IS NOT NULL AS has_value,
       tryBase64Decode(ifNull(value, '')) AS value, code_version,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at, m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_dead_letters;

CREATE TABLE IF NOT EXISTS in_dead_letter_repairs
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    type String,
    origin Tuple(topic String, topic_id String, partition UInt32, offset UInt64),
    worker String,
    code_version String,
    at_ms Int64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_dead_letter_repairs_to_dead_letter_repairs
TO dead_letter_repairs AS
SELECT origin.topic AS origin_topic, origin.topic_id AS origin_topic_id,
       origin.partition AS origin_partition, origin.offset AS origin_offset, type, worker,
       code_version, fromUnixTimestamp64Milli(at_ms, 'UTC') AS at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_dead_letter_repairs;

-- Dead letters by signature; never a value, a key or a header. The hints are those of `rastro
-- dlq`.
CREATE VIEW IF NOT EXISTS v_dead_letters
(
    signature  String               COMMENT 'Same topic, step, code and kind of reason.',
    topic      String               COMMENT 'Topic of the records.',
    stage      String               COMMENT 'Step that failed.',
    code       String               COMMENT 'Stable code of the reason.',
    detail     String               COMMENT 'The reason of the newest one.',
    workers    Array(String)        COMMENT 'Workers that wrote them.',
    dead_letters UInt64             COMMENT 'Dead letters of this signature in 400 days.',
    open       UInt64               COMMENT 'Of these neither replayed nor discarded.',
    items      UInt64
        COMMENT 'Items that the open ones hold, where the gateway counted them.',
    first_at   DateTime64(3, 'UTC') COMMENT 'When the first was written, UTC milliseconds.',
    last_at    DateTime64(3, 'UTC') COMMENT 'When the newest was written, UTC milliseconds.',
    sample     String
        COMMENT 'Record id of the newest, for `rastro dlq show`.',
    hint       String               COMMENT 'What to do about it.'
)
SQL SECURITY DEFINER
AS SELECT signature, any(l.origin_topic) AS topic, any(l.stage) AS stage, any(l.code) AS code,
          argMax(l.detail, l.at) AS detail, arraySort(groupUniqArray(l.worker)) AS workers,
          count() AS dead_letters, countIf(NOT l.is_closed) AS open,
          sumIf(l.items, NOT l.is_closed) AS items, min(l.at) AS first_at, max(l.at) AS last_at,
          argMax(concat(l.origin_topic_id, ':', toString(l.origin_partition), ':',
              toString(l.origin_offset)), l.at) AS sample,
          transform(any(l.code),
              ['undecodable', 'record_invalid', 'sink_rejected', 'key_parked'],
              ['The bytes are in no frame: find their writer; they cannot be replayed.',
               'The worker cannot read the value: check its schema, mend the code, replay.',
               'The table refuses a value: widen the column by a migration, then replay.',
               'A record before it waits: mend and replay that one, or release the key.'],
              'See the code in the reference of errors, mend the cause, then replay.') AS hint
   FROM (SELECT d.*, (d.origin_topic, d.origin_topic_id, d.origin_partition, d.origin_offset) IN (
                    SELECT origin_topic, origin_topic_id, origin_partition, origin_offset
                    FROM dead_letter_repairs
                    WHERE type IN ('DeadLetterReplayed', 'DeadLetterDiscarded')) AS is_closed
         FROM dead_letters AS d FINAL) AS l
   GROUP BY signature
COMMENT 'Records that could not be processed, by kind of reason.';
