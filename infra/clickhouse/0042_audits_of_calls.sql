-- Operators replay dead letters by calls too (ADR 0099): the actor is then the client of the token.

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
    audit_id   String                 COMMENT 'The call of the command, a UUIDv7.'
)
SQL SECURITY DEFINER
AS SELECT at, actor, actor_from, command, touches, subject, reason, audit_id
   FROM command_audits FINAL
COMMENT 'Commands of the operators: who asked for which on what, when and why.';
