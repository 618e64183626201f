import type {
  CommandAudit, CommandAudited, CommandAudits,
} from '../../../../schemas/generated/types.ts';
import type { AuditCursor, AuditFilter, Audits } from '../../../kernel/audits.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import { commandsIn, subjectIn } from '../../../operator/audit/filter.ts';
import { auditedSubject, SUBJECT_KINDS } from '../../../operator/audit/subjects.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { badCursor, badFilter, badLimit, badParameter, readLimit } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readParts, writeParts } from '../../common/read-page.ts';
import { readTimeRange } from '../../common/time-range.ts';

/** What listing needs from outside. */
export interface ListAuditsPorts {
  readonly audits: Audits;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'hash'>;
}

type Query = CallOf<'list-audits'>['query'];

/**
 * `GET /operator/audits`: what operators asked for, the newest first, by pages. It filters as
 * `rastro audit` does, and is not audited itself, as that is not.
 */
export function listAudits(ports: ListAuditsPorts): Operation {
  return defineOperation('list-audits', {
    errors: problemErrors, handle: ({ query }) => handle(ports, query),
  });
}

async function handle(ports: ListAuditsPorts, query: Query): Promise<Answer> {
  const filter = readFilter(ports, query);
  if ('kind' in filter) return filter;
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const { cursor } = query;
  const after = cursor === undefined ? undefined : readAuditCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const { audits, next } = await ports.audits.find(filter, after, limit);
  const body: CommandAudits = {
    audits: audits.map(auditResource),
    ...(next === undefined ? {} : { next_cursor: writeParts([next.at_ms, next.audit_id]) }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

function readFilter({ clock, secrets }: ListAuditsPorts, query: Query): AuditFilter | Answer {
  const { actor, command, subject } = query;
  const refusal = badFilter(query, ['actor', 'command', 'subject']);
  if (refusal !== undefined) return refusal;
  const commands = command === undefined ? [] : commandsIn(command);
  if (commands === undefined) {
    return badParameter('command', 'command must be beginnings of names, divided by commas, such as dlq,overflow.');
  }
  const about = subject === undefined ? undefined : subjectIn(subject);
  if (subject !== undefined && about === undefined) {
    return badParameter('subject', `subject must be kind:id, the kind one of ${SUBJECT_KINDS.join(', ')}.`);
  }
  const range = readTimeRange(query, clock.nowMs());
  if ('kind' in range) return range;
  return { ...range, actor, commands, subject: about && auditedSubject(secrets, about) };
}

function auditResource({ at_ms, subject, reason, records, ...fact }: CommandAudited): CommandAudit {
  const { audit_id, actor, actor_from, command, touches } = fact;
  return {
    audit_id, at: new Date(at_ms).toISOString(), actor, actor_from, command, touches,
    ...(subject === '' ? {} : { subject }),
    ...(reason === undefined ? {} : { reason }), ...(records === undefined ? {} : { records }),
  };
}

function readAuditCursor(text: string): AuditCursor | undefined {
  const [at = '', audit_id = ''] = readParts(text, 2) ?? [];
  return /^\d{1,15}$/.test(at) && audit_id !== '' ? { at_ms: Number(at), audit_id } : undefined;
}
