import type { AuditFilter } from '../../kernel/audits.ts';
import type { CommandAudited } from '../../../schemas/generated/types.ts';
import { SUBJECT_KINDS, type CommandSubject } from './subjects.ts';

/** `shipment:1Z999`: the kind is before the first colon; undefined for anything else. */
export function subjectIn(text: string): CommandSubject | undefined {
  const at = text.indexOf(':');
  const kind = SUBJECT_KINDS.find((each) => each === text.slice(0, Math.max(at, 0)));
  return kind === undefined ? undefined : { kind, text: text.slice(at + 1) };
}

/** Beginnings of names, divided by commas; undefined where one is empty. */
export function commandsIn(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.includes('') ? undefined : names;
}

/** Whether an audit is asked for. The tables answer the same question (adapters/clickhouse). */
export function isAskedFor(
  { since_ms, until_ms, actor, commands, subject }: AuditFilter, fact: CommandAudited,
): boolean {
  return fact.at_ms >= since_ms && fact.at_ms <= until_ms
    && (actor === undefined || fact.actor === actor)
    && (commands.length === 0 || commands.some((name) => fact.command.startsWith(name)))
    && (subject === undefined || fact.subject === subject);
}

/** The newest first; of two at one time the one whose id is greater. */
export function byNewest(one: CommandAudited, other: CommandAudited): number {
  return other.at_ms - one.at_ms || (one.audit_id < other.audit_id ? 1 : -1);
}
