import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { CommandAudited } from '../../../schemas/generated/types.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { RecordLog } from '../../kernel/record-log.ts';

/** What the audit takes to be written. */
export interface AuditLogPorts {
  readonly log: RecordLog;
  readonly ids: Pick<Ids, 'ingestId'>;
}

/**
 * Appends who asks for what, on all in-sync replicas before it returns: what is asked for is done
 * after that only. Rejects as the log does.
 */
export async function appendAudit(
  { log, ids }: AuditLogPorts, asked: Omit<CommandAudited, 'type' | 'audit_id'>,
  deadlineMs: number,
): Promise<void> {
  const fact: CommandAudited = { type: 'CommandAudited', audit_id: ids.ingestId(), ...asked };
  await log.append({
    topic: TOPICS.audit.name, key: asked.actor, value: Buffer.from(JSON.stringify(fact)),
    headers: { 'received-at': String(asked.at_ms) },
  }, deadlineMs);
}
