-- How many records a command may put back, where it counts them before it acts: a replay by the
-- interface does (ADR 0114). 0 where they are not counted.

ALTER TABLE in_audits ADD COLUMN IF NOT EXISTS records UInt64 DEFAULT 0;

ALTER TABLE command_audits ADD COLUMN IF NOT EXISTS records UInt64 DEFAULT 0 CODEC(ZSTD(1));

ALTER TABLE in_audits_to_command_audits MODIFY QUERY
SELECT audit_id, actor, actor_from, command, touches, subject, reason,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at, m.kp AS k_partition, bitNot(m.ko) AS k_rank,
       records
FROM in_audits;

CREATE OR REPLACE VIEW v_audits
(
    at         DateTime64(3, 'UTC')   COMMENT 'When the command was asked for, UTC milliseconds.',
    actor      LowCardinality(String)
        COMMENT 'Who asked for it, as an option, a setting, the operating system or a token says.',
    actor_from LowCardinality(String)
        COMMENT 'option, setting, system or token: where the actor is from.',
    command    LowCardinality(String) COMMENT 'The command without its words and options.',
    touches    LowCardinality(String) COMMENT 'What it reads or changes, such as persons.',
    subject    String
        COMMENT 'What it is about, by kind and id; # and a keyed hash where that is no id of ours.',
    reason     String                 COMMENT 'Why, for people; empty where none was given.',
    records    UInt64
        COMMENT 'Records that it may put back; 0 where they were not counted before it acted.',
    audit_id   String                 COMMENT 'The call of the command, a UUIDv7.'
)
SQL SECURITY DEFINER
AS SELECT at, actor, actor_from, command, touches, subject, reason, records, audit_id
   FROM command_audits FINAL
COMMENT 'Commands of the operators: who asked for which on what, when and why.';
