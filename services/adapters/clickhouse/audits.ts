import type { CommandAudited } from '../../../schemas/generated/types.ts';
import type { Audits } from '../../kernel/audits.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

/** The table is in the order of time, so a page reads the span alone. */
const NEWEST = `
SELECT audit_id, toUnixTimestamp64Milli(at) AS at_ms, actor, actor_from, command, touches, subject,
       reason, records
FROM v_audits
WHERE at BETWEEN fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC')
             AND fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND ({actor:String} = '' OR actor = {actor:String})
  AND (empty({commands:Array(String)})
       OR arrayExists(name -> startsWith(command, name), {commands:Array(String)}))
  AND ({subject:String} = '' OR subject = {subject:String})
  AND ({after_id:String} = ''
       OR (at, audit_id) < (fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC'), {after_id:String}))
ORDER BY at DESC, audit_id DESC
LIMIT {rows:UInt32}`;

/**
 * Reads audits from an open store, as the user `pictures`; without a store every call throws
 * `Unavailable`. One row more than asked for says whether there is a next page.
 */
export function createAudits(store: Pick<ClickHouse, 'query'> | undefined): Audits {
  return {
    async find({ since_ms, until_ms, actor = '', commands, subject = '' }, after, limit) {
      if (store === undefined) {
        throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
      }
      const rows = await store.query(NEWEST, {
        since_ms, until_ms, actor, commands, subject,
        after_ms: after?.at_ms ?? 0, after_id: after?.audit_id ?? '', rows: limit + 1,
      });
      const audits = rows.slice(0, limit).map(auditOf);
      return { audits, next: rows.length > limit ? audits.at(-1) : undefined };
    },
  };
}

function auditOf(row: ResultRow): CommandAudited {
  const text = (name: string): string => String(row[name]);
  const records = Number(row['records']);
  return {
    type: 'CommandAudited', audit_id: text('audit_id'), actor: text('actor'),
    actor_from: text('actor_from') as CommandAudited['actor_from'],
    command: text('command'), touches: text('touches') as CommandAudited['touches'],
    subject: text('subject'), at_ms: Number(row['at_ms']),
    ...(text('reason') === '' ? {} : { reason: text('reason') }),
    ...(records === 0 ? {} : { records }),
  };
}
