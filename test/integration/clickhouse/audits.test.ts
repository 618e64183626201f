import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { createWriteAudit, type CommandToAudit } from '../../../services/cli/audit/record-command.ts';
import { AUDIT_RULES, type AuditRule } from '../../../services/cli/audit/rules.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { createHistory, record, writePosts, type History } from './history.ts';

const NOW_MS = Date.now();
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const asked = (path: string, word: string, reason?: string): CommandToAudit => ({
  call: { path, words: [word], options: {} }, rule: AUDIT_RULES[path] as AuditRule,
  actor: 'ana@ops-1', actorFrom: 'system', ...(reason === undefined ? {} : { reason }),
});

describe('v_audits', () => {
  it('[GEN-50] shows each command once: actor, command, subject, reason and time', async () => {
    const log = fakeRecordLog();
    const write = createWriteAudit({
      log, secrets: keyedSecrets('pepper'), clock: { nowMs: () => NOW_MS },
      ids: { ingestId: () => `id-${log.appended.length}` },
    });
    await write(asked('client retire', '100000000000042', 'ticket 7'));
    await write(asked('shipment', '1Z999'));
    const records = log.appended.map(({ topic, key, value, headers }) => (
      record(topic, key, value as object, { receivedAtMs: NOW_MS, headers })
    ));
    expect(await writePosts(history.ingest, records)).toEqual([]);
    expect(await writePosts(history.ingest, records)).toEqual([]);
    const at = new Date(NOW_MS).toISOString().slice(0, 23).replace('T', ' ');
    const both = { actor: 'ana@ops-1', actor_from: 'system', at };
    expect(await history.analyst.query('SELECT * FROM v_audits ORDER BY audit_id')).toEqual([
      {
        ...both, audit_id: 'id-0', command: 'client retire', touches: 'clients',
        subject: 'client:100000000000042', reason: 'ticket 7', records: '0',
      },
      {
        ...both, audit_id: 'id-1', command: 'shipment', touches: 'shipments', reason: '',
        records: '0',
        subject: expect.stringMatching(/^shipment:#[0-9a-f]{32}$/),
      },
    ]);
  });
});
