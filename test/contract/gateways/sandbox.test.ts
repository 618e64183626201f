import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS, OPERATIONS } from '../../../schemas/generated/catalog.ts';
import openapi from '../../../schemas/generated/openapi.json' with { type: 'json' };
import {
  outcomesOf, partnerWordsOf,
} from '../../../services/gateways/common/sandbox-answers.ts';
import type { OperationId } from '../../../services/gateways/common/catalog.ts';
import type { RefusedCall } from '../../../services/kernel/refusals.ts';
import { DOCUMENTED, faultsOfAnswer } from '../../support/documented-answers.ts';
import { realOf } from '../../support/dry-runs.ts';
import { GOOD_FACTS, locationsBody } from '../../support/edge.ts';
import { fakeLive } from '../../support/fake-live.ts';
import { CALLER, openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

/** Calls without a token have no caller, so that no id of theirs is magic. */
const WITHOUT_TOKEN = Object.values(OPERATIONS)
  .filter(({ authentication }) => authentication !== 'bearer').map(({ id }) => id);
/** Providers serve it themselves. */
const SERVED_ELSEWHERE: readonly string[] = ['provider-command'];

const REACHED = (Object.keys(OPERATIONS) as OperationId[])
  .filter((id) => !WITHOUT_TOKEN.includes(id) && !SERVED_ELSEWHERE.includes(id));

/** Every code of every such operation, with the status under which the document has it. */
const CODES = REACHED.flatMap((id) => DOCUMENTED
  .filter((each) => each.id === id && each.status >= 400)
  .flatMap(({ status }) => codesAt(id, status).map((code) => [id, code, status] as const)));

function codesAt(id: OperationId, status: number): readonly string[] {
  const operation = Object.values(openapi.paths)
    .flatMap((item) => Object.values(item as Record<string, object>))
    .find((each) => 'operationId' in each && each.operationId === id) as {
      responses: Record<string, { description: string }>;
    };
  const [, listed = ''] = /Codes: (.*)\.$/.exec(operation.responses[status]?.description ?? '') ?? [];
  return [...listed.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)
    .filter((code) => (ERRORS[id] as readonly string[]).includes(code));
}

let at: WholeEdge;
/** What `rastro client refusals` would show, since the test began. */
const refused: RefusedCall[] = [];
const refusedCalls = { report: (call: RefusedCall) => void refused.push(call) };
// The delay of rejections would hold the second of many such answers back for seconds.
const WISHES = { http: { refusalHoldMsMax: 1 }, refusedCalls };
beforeAll(async () => { at = await openWholeEdge(WISHES); });
beforeEach(() => { refused.length = 0; });
afterAll(() => at.close());

/** The facts of a caller of an operation, of a sandbox client or of a real one. */
function admit(id: string, sandbox: boolean, edge = at): void {
  const { audience, scope } = OPERATIONS[id as OperationId];
  edge.admit(id, {
    caller: {
      clientId: CALLER, userId: '7', audience: audience ?? '', scopes: scope === null ? [] : [scope],
      providers: ['acme'], ...(sandbox ? { sandbox: true } : {}),
    },
  });
}

/** What of the state is there for others than the sandbox. */
function stateOfOthers(): string {
  return JSON.stringify(at.states.dump(), (name, value: unknown) => (
    name.startsWith('sandbox') || /(^|:)sandbox:/.test(name) ? undefined : value
  ));
}

const magic = (word: string) => ({ more: `&magic_id=sandbox-${word}` });

describe('a magic id of a sandbox client', () => {
  it('is tried for every documented code of every operation with a token', () => {
    expect(WITHOUT_TOKEN.toSorted()).toEqual([
      'dry-run-issue-token', 'issue-token', 'show-docs', 'show-interface', 'show-openapi',
      'show-problem',
    ]);
    for (const id of REACHED) {
      const tried = CODES.filter(([each]) => each === id).map(([, code]) => code);
      expect(tried.toSorted(), id).toEqual([...ERRORS[id]].toSorted());
    }
    expect(CODES.length).toBeGreaterThan(1_400);
  });

  it.each(REACHED)('has %s answered with each code, as its document says', async (id) => {
    admit(id, true);
    const others = stateOfOthers();
    for (const [, code, status] of CODES.filter(([each]) => each === id)) {
      const response = await at.call(id, magic(code));
      expect([response.status, response.headers.get('sandbox')], code).toEqual([status, 'true']);
      expect(await faultsOfAnswer(id, response), code).toEqual([]);
    }
    expect([at.log.appended, stateOfOthers(), refused]).toEqual([[], others, []]);
  });

  it('means nothing to a real client', async () => {
    admit('send-locations', false);
    const response = await at.call('send-locations', magic('rate_limited'));
    expect([response.status, response.headers.get('sandbox')]).toEqual([202, null]);
    admit('show-device', false);
    const shown = await at.call('show-device', { params: { device_id: 'sandbox-internal' } });
    expect([shown.status, shown.headers.get('sandbox')]).toEqual([404, null]);
  });
});

describe('a magic id', () => {
  beforeEach(() => admit('show-device', true));

  it.each([
    ['show-device', { params: { device_id: 'sandbox-state_unavailable' } }, 500],
    ['start-device-tracking', { params: { device_id: 'sandbox-device_not_found' } }, 404],
    ['show-journey', { params: { tracking_number: 'sandbox-shipment_not_found' } }, 404],
    ['register-device', {
      body: {
        external_entity: { entity_id: 'sandbox-log_timeout', entity_type: 'van' },
        transport: { id: 1 },
      },
    }, 500],
  ] as const)('is read of a path and of a body: %s', async (id, wishes, status) => {
    admit(id, true);
    expect((await at.call(id, wishes)).status).toBe(status);
  });

  it('for a device that is not there passes the gate of devices', async () => {
    const { audience, scope } = OPERATIONS['send-locations'];
    at.admit('send-locations', {
      device: undefined,
      caller: {
        ...GOOD_FACTS.caller, clientId: CALLER, userId: '7', providers: ['acme'], audience,
        scopes: [scope], sandbox: true,
      },
    });
    for (const [device_id, code] of [
      ['sandbox-tracking_stopped', 'tracking_stopped'], ['my-van', 'device_not_allowed'],
      ['sandbox-traking_stopped', 'device_not_allowed'],
    ] as const) {
      const response = await at.call('send-locations', { body: { ...locationsBody(), device_id } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code });
    }
  });

  it('that is no code of the operation is refused with those that are', async () => {
    expect((await at.call('show-device', magic('parked'))).status).toBe(400);
    const response = await at.call('show-device', magic('monitoring_not_started'));
    expect(response.status).toBe(400);
    const { detail } = await response.json() as { detail: string };
    expect(detail).toContain('sandbox-monitoring_not_started; it has ');
    expect(detail).toContain('device_not_found');
  });

  it('with a typing error is refused at its place, with the one that was meant', async () => {
    const response = await at.call('show-device', { params: { device_id: 'sandbox-rate_limit' } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_parameter', detail: expect.stringContaining('Did you mean sandbox-rate_limited?'),
      errors: [{ pointer: '/path/device_id' }],
    });
  });

  it('is no refused call of the client where it is answered, and one where it is wrong', async () => {
    await at.call('show-device', magic('rate_limited'));
    await at.call('show-device', { params: { device_id: 'sandbox-device_not_found' } });
    expect(refused).toEqual([]);
    await at.call('show-device', { params: { device_id: 'sandbox-rate_limit' } });
    await at.call('show-device', { params: { device_id: 'van' } });
    expect(refused.map(({ code }) => code)).toEqual(['invalid_parameter', 'device_not_found']);
  });

  it('whose word means nothing is an ordinary id', async () => {
    const response = await at.call('show-device', { params: { device_id: 'sandbox-van' } });
    expect([response.status, response.headers.get('sandbox')]).toEqual([404, 'true']);
  });

  it('says rate_limited in every header that speaks of limits', async () => {
    const { status, headers } = await at.call('show-device', magic('rate_limited'));
    expect([status, headers.get('retry-after'), headers.get('ratelimit-remaining')])
      .toEqual([429, '300', '0']);
    expect(headers.get('ratelimit')).toContain('r=0;t=300');
  });

  it.each([
    'send-locations', 'send-telemetry-events', 'send-deferred-events', 'send-delivery-locations',
    'push-notifications',
  ])('names the outcome of the items of %s', async (id) => {
    const show = id === 'push-notifications' ? 'show-tracking-ingest' : 'show-ingest';
    for (const outcome of outcomesOf(id)) {
      admit(id, true);
      const posted = await at.call(id, magic(outcome));
      expect(posted.status, outcome).toBe(202);
      const ingestId = posted.headers.get('ingest-id') ?? '';
      admit(show, true);
      const receipt = await (await at.call(show, { params: { ingest_id: ingestId } })).json() as {
        items: number; waiting: number; outcomes: Record<string, number>;
      };
      expect({ ...receipt.outcomes, waiting: receipt.waiting }, outcome)
        .toMatchObject({ [outcome]: receipt.items });
    }
    expect(at.log.appended.filter(({ headers }) => headers['ingest-id'] === undefined)).toEqual([]);
  });
});

describe('what a sandbox client asks of partners', () => {
  const ids = ['send-command', 'send-authorization'] as const;
  const ask = async (id: typeof ids[number], wishes = {}): Promise<Record<string, unknown>> => {
    admit(id, true);
    const asked = await (await at.call(id, wishes)).json() as Record<string, string>;
    const { command_id, call_id } = asked;
    const [show, params] = id === 'send-command'
      ? ['show-command', { command_id: command_id! }] as const
      : ['show-authorization', { call_id: call_id! }] as const;
    admit(show, true);
    return (await at.call(show, { params })).json() as Promise<Record<string, unknown>>;
  };

  it.each(ids)('by %s ends at once, well or as a magic id says', async (id) => {
    expect(await ask(id)).toMatchObject({
      state: id === 'send-command' ? 'done' : 'authorized', last_status: 200,
    });
    for (const word of partnerWordsOf(id)) {
      expect(await ask(id, magic(word))).toMatchObject({ state: word });
    }
  });

  it('is listed, and a number of a carrier has a shipment', async () => {
    const { command_id } = await ask('send-command');
    const { tracking_number } = await ask('send-authorization');
    admit('list-commands', true);
    const listed = await at.call('list-commands', {
      params: {
        command_id: null, provider: null, transport_id: null, since: null, until: null,
        state: 'done',
      },
    });
    const { commands } = await listed.json() as { commands: { command_id: string }[] };
    expect(commands.map((each) => each.command_id)).toContain(command_id);
    admit('show-platform-shipment', true);
    const shown = await at.call('show-platform-shipment', {
      params: { tracking_number: String(tracking_number) },
    });
    expect(shown.status).toBe(200);
  });
});

describe('a shipment that a sandbox client authorized', () => {
  it('names no client of the deployment', async () => {
    const own = await openWholeEdge({}, (parts) => parts, { RASTRO_CARRIER_CLIENT_ID: '4711000000001' });
    try {
      admit('authorize-shipment', true, own);
      const given = await own.call('authorize-shipment');
      expect(given.status).toBe(200);
      const { tracking_number } = await given.json() as { tracking_number: string };
      admit('show-shipment-authorization', true, own);
      const shown = await own.call('show-shipment-authorization', { params: { tracking_number } });
      expect(shown.status).toBe(200);
      expect(await shown.text()).not.toContain('4711000000001');
    } finally {
      await own.close();
    }
  });
});

describe('a live feed of a sandbox client', () => {
  it('is there also while the real feeds rest, which it need not wake', async () => {
    const resting = await openWholeEdge({}, (parts) => ({ ...parts, live: fakeLive('not_ready') }));
    try {
      admit('follow-platform-fixes', false, resting);
      expect((await resting.call('follow-platform-fixes')).status).toBe(500);
      admit('follow-platform-fixes', true, resting);
      const { status, body } = await resting.call('follow-platform-fixes');
      expect(status).toBe(200);
      await body?.cancel();
    } finally {
      await resting.close();
    }
  });

  it.each(REACHED.filter((id) => id.startsWith('follow-')))('%s is silent', async (id) => {
    admit(id, true);
    const reader = (await at.call(id)).body!.getReader();
    admit('list-calls', true);
    // What the feed of a real client begins with is there before another call is answered.
    const later = at.call('list-calls').then(() => 'nothing');
    expect(await Promise.race([reader.read(), later])).toBe('nothing');
    await reader.cancel();
  });
});

describe('an answer to a sandbox client', () => {
  it.each(REACHED)('of %s says so, and leaves nothing outside of the sandbox', async (id) => {
    admit(id, true);
    const appended = at.log.appended.length;
    const others = stateOfOthers();
    const response = await at.call(id);
    expect(response.headers.get('sandbox')).toBe('true');
    const { body } = response;
    if (response.headers.get('content-type') === 'text/event-stream') await body?.cancel();
    if (realOf(id) !== 'revoke-token') {
      expect([at.log.appended.length, stateOfOthers()]).toEqual([appended, others]);
    }
  });
});
