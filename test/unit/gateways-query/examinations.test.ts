import { describe, expect, it } from 'vitest';
import { notificationErrors } from '../../../services/gateways/common/notification-errors.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { examineParty } from '../../../services/gateways/query/operations/examine-party.ts';
import { listExaminations } from '../../../services/gateways/query/operations/list-examinations.ts';
import type { PartyExaminations } from '../../../schemas/generated/types.ts';
import { callOf, written } from '../../support/calls.ts';
import { aParty } from '../../support/command-facts.ts';
import { fakeStates } from '../../support/fake-states.ts';

const OWN = '100000000000042';
const OTHER = '100000000000043';
const LATER_MS = 180_000;

async function opened() {
  const states = fakeStates();
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs };
  let runs = 0;
  const ids = { nonce: () => `${runs += 1}-nonce`, ingestId: () => 'none' };
  const ports = { ...states, clock, ids, country: 'UY' };
  const list = listExaminations('list-examinations', ports, problemErrors);
  const examine = examineParty('examine-party', ports, problemErrors);
  const carrierExamine = examineParty('examine-tracking-party', ports, notificationErrors);
  await states.parties.apply(aParty({
    party_id: 'p-acme', client_id: OWN, base_url: 'https://user:login@acme.example/api/',
    authentication: { kind: 'static', sealed_token: 'sealed:secret' },
  }));
  await states.parties.apply(aParty({
    party_id: 'p-swift', kind: 'carrier', name: 'Swift', client_id: OWN, base_url: 'https://swift.example',
  }));
  await states.parties.apply(aParty({
    party_id: 'p-other', kind: 'carrier', client_id: OTHER, base_url: 'https://other.example',
  }));
  const parties = async (clientId = OWN) => {
    const { body } = written(list, await list.handle(callOf({ clientId })));
    return (body as unknown as PartyExaminations).parties;
  };
  const ask = async (party_id: string, clientId = OWN, sandbox?: true) => {
    const call = callOf({ clientId, params: { party_id } });
    const caller = { ...call.caller!, ...(sandbox === undefined ? {} : { sandbox }) };
    return written(examine, await examine.handle({ ...call, caller }));
  };
  return { states, parties, ask, carrierExamine, pass: (ms: number) => { aheadMs += ms; } };
}

describe('the addresses of a client', () => {
  it('are those of its own active parties, without a login or a secret', async () => {
    const { parties } = await opened();
    expect(await parties()).toEqual([
      { party_id: 'p-acme', name: 'Acme', role: 'provider', address: 'https://acme.example/api' },
      { party_id: 'p-swift', name: 'Swift', role: 'carrier', address: 'https://swift.example' },
    ]);
    expect((await parties(OTHER)).map(({ party_id }) => party_id)).toEqual(['p-other']);
    expect(await parties('100000000000099')).toEqual([]);
  });

  it('have what was found so far, and the sum', async () => {
    const { states, parties, ask } = await opened();
    expect(await ask('p-acme')).toMatchObject({
      status: 202,
      body: { party_id: 'p-acme', examination: { status: 'waiting', checks_planned: 0, checks: [] } },
    });
    const [asked] = await states.examinations.find(['p-acme']);
    expect(asked).toMatchObject({ country: 'DE', run: '1-nonce', clientId: OWN });
    await states.examinations.begin(asked!, 3);
    for (const outcome of ['passed', 'failed', 'passed'] as const) {
      const check = { id: 'c', title: 'It holds', level: 'must', outcome, reasons: ['so'] } as const;
      await states.examinations.add(asked!, check);
    }
    expect((await parties())[0]?.examination).toMatchObject({
      status: 'running', checks_planned: 3, passed: 2, failed: 1, advice: 0, skipped: 0,
      checks: [{ outcome: 'passed' }, { outcome: 'failed', reasons: ['so'] }, { outcome: 'passed' }],
    });
    await states.examinations.end(asked!, 'it was stopped');
    expect((await parties())[0]?.examination).toMatchObject({ status: 'ended', stopped: 'it was stopped' });
  });

  it('end as not made where no process takes them', async () => {
    const { parties, ask, pass } = await opened();
    await ask('p-acme');
    pass(LATER_MS);
    expect((await parties())[0]?.examination)
      .toMatchObject({ status: 'ended', stopped: 'no process ended it in time; ask for another one' });
  });

  it('show no examination that another client asked for', async () => {
    const { states, parties, ask } = await opened();
    await ask('p-swift');
    await states.parties.apply(aParty({
      party_id: 'p-swift', kind: 'carrier', client_id: OTHER, version: 2,
    }));
    expect((await parties(OTHER)).find(({ party_id }) => party_id === 'p-swift'))
      .not.toHaveProperty('examination');
  });
});

describe('asking for an examination', () => {
  it('answers a party of another client like one that is not there', async () => {
    const { states, ask } = await opened();
    const [foreign, missing] = [await ask('p-other'), await ask('p-none')];
    expect(foreign).toMatchObject({ status: 404, body: { code: 'party_not_found' } });
    expect(foreign).toEqual(missing);
    expect(await states.examinations.find(['p-other', 'p-none'])).toEqual([]);
  });

  it('is refused to a sandbox client, also where the party is its own', async () => {
    const { states, ask } = await opened();
    expect(await ask('p-acme', OWN, true))
      .toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await states.examinations.find(['p-acme'])).toEqual([]);
  });

  it('is 429 with Retry-After while one is in progress, and after so many of an hour', async () => {
    const { states, ask } = await opened();
    expect((await ask('p-acme')).status).toBe(202);
    const busy = await ask('p-acme');
    expect(busy).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(busy.headers['Retry-After'])).toBeGreaterThan(0);
    for (let times = 1; times < 12; times += 1) {
      const [newest] = await states.examinations.find(['p-acme']);
      await states.examinations.end(newest!, undefined);
      expect((await ask('p-acme')).status).toBe(202);
    }
    const [newest] = await states.examinations.find(['p-acme']);
    await states.examinations.end(newest!, undefined);
    const refused = await ask('p-acme');
    expect(refused.body['detail']).toContain('12 times within an hour');
    expect(Number(refused.headers['Retry-After'])).toBeGreaterThan(3_000);
  });

  it('of a carrier names the country of the deployment', async () => {
    const { states, carrierExamine } = await opened();
    const { query: _, ...call } = callOf({ clientId: OWN, params: { party_id: 'p-swift' } });
    await carrierExamine.handle({ ...call, query: {} });
    expect(await states.examinations.find(['p-swift'])).toMatchObject([{ country: 'UY' }]);
  });
});
