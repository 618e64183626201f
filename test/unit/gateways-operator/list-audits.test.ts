import { beforeEach, describe, expect, it } from 'vitest';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { listAudits } from '../../../services/gateways/operator/operations/list-audits.ts';
import { auditedSubject } from '../../../services/operator/audit/subjects.ts';
import { callOf, written } from '../../support/calls.ts';
import { anAudit, fakeAudits, type FakeAudits } from '../../support/fake-audits.ts';

const NOW_MS = Date.UTC(2026, 10, 27, 12);
const DAY_MS = 86_400_000;
const idOf = (nth: number): string => `0198c0de-0000-7000-8000-00000000000${nth}`;
const secrets = keyedSecrets('pepper');
let audits: FakeAudits;
beforeEach(() => { audits = fakeAudits(); });

async function ask(query: Readonly<Record<string, string>> = {}) {
  const operation = listAudits({ audits, secrets, clock: { nowMs: () => NOW_MS } });
  return written(operation, await operation.handle(callOf({ query })));
}
async function ids(query?: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { body } = await ask(query);
  return (body['audits'] as readonly { readonly audit_id: string }[]).map(({ audit_id }) => audit_id);
}

describe('the list of what operators asked for', () => {
  it('[GEN-50] has who, when, what, why and how many, the newest first, and leaves out what is not known', async () => {
    const { reason: _, records: __, ...bare } = anAudit();
    audits.add(
      { ...bare, audit_id: idOf(1), at_ms: NOW_MS - 2_000, command: 'client list', touches: 'clients', subject: '' },
      anAudit({ audit_id: idOf(2), at_ms: NOW_MS - 1_000 }),
    );
    expect(await ask()).toMatchObject({ status: 200, body: { has_more: false } });
    expect((await ask()).body['audits']).toEqual([{
      audit_id: idOf(2), at: '2026-11-27T11:59:59.000Z', actor: '900000000000001', actor_from: 'token',
      command: 'dlq replay', touches: 'dead-letters', subject: 'topic:rtt.locations.v1',
      reason: 'ticket 4711', records: 250,
    }, {
      audit_id: idOf(1), at: '2026-11-27T11:59:58.000Z', actor: '900000000000001', actor_from: 'token',
      command: 'client list', touches: 'clients',
    }]);
  });

  it('has those of the last day unless a time is asked for', async () => {
    audits.add(
      anAudit({ audit_id: idOf(1), at_ms: NOW_MS - DAY_MS - 1 }),
      anAudit({ audit_id: idOf(2), at_ms: NOW_MS - DAY_MS }),
    );
    expect(await ids()).toEqual([idOf(2)]);
    expect(await ids({ since: '2026-11-01T00:00:00Z' })).toEqual([idOf(2), idOf(1)]);
    expect(await ids({ since: '2026-11-01T00:00:00Z', until: '2026-11-26T11:59:59.999Z' }))
      .toEqual([idOf(1)]);
  });

  it('goes on behind the last one of a page', async () => {
    audits.add(...[1, 2, 3].map((nth) => anAudit({ audit_id: idOf(nth), at_ms: NOW_MS - 5 })));
    const first = await ask({ limit: '2' });
    expect(first.body).toMatchObject({
      has_more: true, audits: [{ audit_id: idOf(3) }, { audit_id: idOf(2) }],
    });
    const cursor = String(first.body['next_cursor']);
    const last = await ask({ limit: '2', cursor });
    expect(last.body).toMatchObject({ has_more: false, audits: [{ audit_id: idOf(1) }] });
    expect(last.body).not.toHaveProperty('next_cursor');
  });

  it('finds what the audit keeps as a keyed hash by its text, and commands by their beginnings', async () => {
    const subject = auditedSubject(secrets, { kind: 'shipment', text: '1Z999' });
    expect(subject).not.toContain('1Z999');
    audits.add(
      anAudit({ audit_id: idOf(1), at_ms: NOW_MS, command: 'person show', subject }),
      anAudit({ audit_id: idOf(2), at_ms: NOW_MS, command: 'overflow add' }),
      anAudit({ audit_id: idOf(3), at_ms: NOW_MS, command: 'dlq ls', actor: 'ana@ops-1' }),
    );
    expect(await ids({ subject: 'shipment:1Z999' })).toEqual([idOf(1)]);
    expect(await ids({ subject: 'shipment:1Z998' })).toEqual([]);
    expect(await ids({ command: 'overflow, person' })).toEqual([idOf(2), idOf(1)]);
    expect(await ids({ actor: 'ana@ops-1' })).toEqual([idOf(3)]);
  });

  it.each([
    ['subject', 'nothing'], ['subject', 'planet:9'], ['command', 'dlq,'], ['actor', ''],
    ['limit', '501'], ['cursor', 'no'], ['since', 'today'], ['since', '2026-01-01T00:00:00Z'],
  ])('refuses %s %j', async (name, text) => {
    expect(await ask({ [name]: text })).toMatchObject({
      status: 400, body: { code: 'invalid_parameter', errors: [{ pointer: `/query/${name}` }] },
    });
  });
});
