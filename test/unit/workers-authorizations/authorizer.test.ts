import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../services/workers/parties/authorizations/authorizer.ts';
import { AUTHORIZER_LIMITS } from '../../../services/workers/parties/authorizations/config.ts';
import type {
  AuthorizationAsked, AuthorizationTried,
} from '../../../services/kernel/authorization-calls.ts';
import type { OutboundReply, OutboundRequest } from '../../../services/kernel/outbound.ts';
import type { PartyRecorded } from '../../../services/kernel/parties.ts';
import { anAsk } from '../../support/authorization-facts.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakePersonal } from '../../support/fake-personal.ts';
import { memoryCalls } from '../../support/memory-states.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { memoryItemDefects } from '../../support/memory-defects.ts';

const TOPIC = 'shipment.authorization-calls.v1';
const START_MS = 1_764_000_000_000;

let nowMs: number;
let log: FakeRecordLog;
let calls: ReturnType<typeof memoryCalls>;
let party: PartyRecorded | undefined;
let sent: OutboundRequest[];
let discarded: string[];
let counted: string[];
let crashes: unknown[];
let replyTo: (request: OutboundRequest) => OutboundReply | Promise<OutboundReply>;

beforeEach(() => {
  nowMs = START_MS;
  log = fakeRecordLog();
  calls = memoryCalls(() => nowMs);
  [sent, discarded, counted, crashes] = [[], [], [], []];
  replyTo = () => reply(200, { status: 'AUTHORIZED', tracking_number: 'RS1' });
  party = {
    type: 'PartyRecorded', party_id: 'p-carrier', kind: 'carrier', name: 'Carrier',
    base_url: 'https://carrier.example/api/', status: 'active', version: 1, at_ms: 1,
    authentication: { kind: 'static', sealed_token: 'v1.x' }, contracts_requiring_agency: [],
  };
});

function reply(status: number, body: unknown): OutboundReply {
  const bytes = Buffer.from(JSON.stringify(body));
  return { kind: 'answer', status, headers: {}, body: bytes, isCut: false };
}

const personal = fakePersonal();

function worker(limits: Partial<typeof AUTHORIZER_LIMITS> = {}) {
  return createAuthorizer({ ...AUTHORIZER_LIMITS, ...limits }, {
    calls, log, clock: { nowMs: () => nowMs }, pause: async () => undefined, personal,
    parties: {
      find: async (id) => (party === undefined || id === 'unknown' ? undefined : party),
      byProvider: async () => undefined, carriers: async () => [],
    },
    tokens: {
      current: async () => ({ kind: 'token', token: `t${discarded.length}` }),
      discard: (_party, token) => { discarded.push(token); },
    },
    outbound: async (request) => { sent.push(request); return replyTo(request); },
    signals: fakeSignals({ metric: (name) => { counted.push(name); } }),
    itemDefects: memoryItemDefects(),
    onCrash: (error) => { crashes.push(error); },
  });
}

const tries = () => log.of(TOPIC).map(({ value }) => value as AuthorizationTried);
const asks = async (wishes: Partial<AuthorizationAsked> = {}) => {
  const asked = anAsk(randomUUID(), { at_ms: nowMs, ...wishes });
  await calls.apply([asked]);
  return asked;
};

/** Looks each time something is due, until nothing is; answers the seconds between the looks. */
async function untilNothingIsDue(): Promise<number[]> {
  const waits: number[] = [];
  while (calls.callsDue().size > 0) {
    const next = Math.min(...calls.callsDue().values());
    if (next > nowMs) waits.push((next - nowMs) / 1_000);
    nowMs = Math.max(nowMs, next);
    await worker().poll();
  }
  return waits;
}

describe('the authorizer', () => {
  it('[AUTH-54] sends the authorization and stores the answer with its tracking number', async () => {
    const asked = await asks();
    await worker().poll();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      method: 'POST', headers: { authorization: 'Bearer t0', 'content-type': 'application/json' },
      url: `https://carrier.example/api/shipments/${asked.shipment_id}/authorization`,
    });
    expect(JSON.parse(Buffer.from(sent[0]?.body ?? []).toString())).toEqual(asked.request);
    expect(tries()).toMatchObject([{
      call_id: asked.call_id, attempt: 1, outcome: 'authorized', tracking_number: 'RS1',
      answer: { status: 'AUTHORIZED', tracking_number: 'RS1' },
    }]);
    expect((await calls.load(asked.call_id))?.tried?.tracking_number).toBe('RS1');
    expect(calls.callsDue().size).toBe(0);
  });

  it('[CMD-43] takes an answer that is nested without end for one that cannot be read', async () => {
    const deep = `{"status":"AUTHORIZED","tracking_number":"RS1","a":${'['.repeat(30_000)}`;
    replyTo = () => ({
      kind: 'answer', status: 200, headers: {}, isCut: false,
      body: Buffer.from(`${deep}${']'.repeat(30_000)}}`),
    });
    await asks();
    await worker().poll();
    expect(crashes).toEqual([]);
    expect(tries()).toMatchObject([{ outcome: 'retry', reason: 'unreadable_answer' }]);
  });

  it('[AUTH-45] tries ten times, after 30 s doubling to at most an hour', async () => {
    replyTo = () => ({ kind: 'lost', reason: 'timeout' });
    await asks();
    expect(await untilNothingIsDue()).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    expect(tries().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('[AUTH-46] parks after the last try with an alarm, by the schema of the carrier', async () => {
    replyTo = () => reply(500, { status: 'ERROR' });
    party = {
      ...party!, retry: { tries_max: 3, first_wait_seconds: 1, wait_seconds_max: 1.5 },
    };
    const asked = await asks();
    expect(await untilNothingIsDue()).toEqual([1, 1.5]);
    expect(tries().map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'parked']);
    expect(counted).toContain('rastro_authorizer_parked_total');
    nowMs += 86_400_000;
    await worker().poll();
    expect(sent).toHaveLength(3);
    replyTo = () => reply(200, { status: 'AUTHORIZED', tracking_number: 'RS2' });
    await calls.apply([{ ...asked, round: 2, at_ms: nowMs }]);
    await worker().poll();
    expect(tries().at(-1)).toMatchObject({ round: 2, attempt: 1, tracking_number: 'RS2' });
  });

  it('parks a refused request at once', async () => {
    replyTo = () => reply(400, { error_code: 'invalid_user_information.buyer', status: 'FAILED' });
    await asks();
    expect(await untilNothingIsDue()).toEqual([]);
    expect(tries()).toMatchObject([{
      outcome: 'parked', reason: 'refused', error_code: 'invalid_user_information.buyer',
    }]);
  });

  it('takes one new token after a 401', async () => {
    replyTo = ({ headers }) => (headers['authorization'] === 'Bearer t0'
      ? reply(401, {})
      : reply(200, { status: 'AUTHORIZED', tracking_number: 'RS1' }));
    await asks();
    await worker().poll();
    expect(discarded).toEqual(['t0']);
    expect(tries().map(({ outcome }) => outcome)).toEqual(['authorized']);
  });

  it('counts a carrier that is unknown or disabled as one that does not answer', async () => {
    await asks({ carrier: 'unknown' });
    await worker().poll();
    expect(tries()).toMatchObject([{ outcome: 'retry', reason: 'party_unavailable' }]);
    expect(sent).toEqual([]);
  });

  it('sends again what a process took and did not finish', async () => {
    const asked = await asks();
    log.failWith('log_unavailable', 1);
    await worker().poll();
    expect(calls.callsDue().has(asked.call_id)).toBe(true);
    await worker().poll();
    expect(sent).toHaveLength(1);
    nowMs += AUTHORIZER_LIMITS.leaseMs;
    await worker().poll();
    expect(sent).toHaveLength(2);
    expect(tries()).toMatchObject([{ attempt: 1, outcome: 'authorized' }]);
    expect(crashes).toEqual([]);
  });

  it('lets a carrier that hangs hold no more than its share', async () => {
    const answers: (() => void)[] = [];
    replyTo = () => new Promise((resolve) => {
      answers.push(() => resolve(reply(200, { status: 'AUTHORIZED', tracking_number: 'RS1' })));
    });
    const ids = await Promise.all(Array.from({ length: 5 }, () => asks()));
    const looking = worker({ inFlightMaxPerParty: 2 }).poll();
    await expect.poll(() => sent.length).toBe(2);
    const putOff = ids.filter(({ call_id }) => calls.callsDue().get(call_id) === nowMs + 1_000);
    expect(putOff).toHaveLength(3);
    for (const answer of answers) answer();
    await looking;
  });

  it('heals a queue that says something else than the log', async () => {
    const asked = await asks();
    await worker().poll();
    await calls.reschedule(asked.call_id, nowMs);
    await calls.reschedule('nobody', nowMs);
    await worker().poll();
    expect(calls.callsDue().size).toBe(0);
    expect(sent).toHaveLength(1);
  });

  it('ends the process over a defect, and not over a fault', async () => {
    await asks();
    replyTo = () => { throw new TypeError('a defect'); };
    await worker().poll();
    expect(crashes).toHaveLength(1);
    calls.failWith('state_unavailable');
    await expect(worker().poll()).rejects.toMatchObject({ code: 'state_unavailable' });
  });
});
