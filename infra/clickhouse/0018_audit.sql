-- Who ran which command of the operators on what, and why. A row is there before the command acts,
-- so it says what was asked for, whether or not it succeeded. The log is the truth (rastro audit).

CREATE TABLE IF NOT EXISTS command_audits
(
    audit_id    String                 CODEC(ZSTD(1)),
    actor       LowCardinality(String) CODEC(ZSTD(1)),
    actor_from  LowCardinality(String) CODEC(ZSTD(1)),
    command     LowCardinality(String) CODEC(ZSTD(1)),
    touches     LowCardinality(String) CODEC(ZSTD(1)),
    subject     String                 CODEC(ZSTD(1)),
    reason      String                 CODEC(ZSTD(3)),
    at          DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition UInt16                 CODEC(ZSTD(1)),
    k_rank      UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(at)
ORDER BY (at, audit_id)
TTL toDateTime(at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 1024;

-- A fact as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_audits
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    audit_id String,
    actor String,
    actor_from String,
    command String,
    touches String,
    subject String,
    reason String,
    at_ms Int64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_audits_to_command_audits TO command_audits AS
SELECT audit_id, actor, actor_from, command, touches, subject, reason,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at, m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_audits;

CREATE VIEW IF NOT EXISTS v_audits
(
    at         DateTime64(3, 'UTC')   COMMENT 'When the command was asked for, UTC milliseconds.',
    actor      LowCardinality(String)
        COMMENT 'Who asked for it, as an option, a setting or the operating system says.',
    actor_from LowCardinality(String)
        COMMENT 'option, setting or system: where the actor is from.',
    command    LowCardinality(String) COMMENT 'The command without its words and options.',
    touches    LowCardinality(String) COMMENT 'What it reads or changes, such as persons.',
    subject    String
        COMMENT 'What it is about, by kind and id; # and a keyed hash where that is no id of ours.',
    reason     String                 COMMENT 'Why, for people; empty where none was given.',
    audit_id   String                 COMMENT 'The call of the command, a UUIDv7.'
)
SQL SECURITY DEFINER
AS SELECT at, actor, actor_from, command, touches, subject, reason, audit_id
   FROM command_audits FINAL
COMMENT 'Commands of the operators: who asked for which on what, when and why.';
