import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checksOf } from '../../../services/conformance/all-checks.ts';
import type { AddressExamination, ExaminedCheck } from '../../../services/kernel/examinations.ts';
import type { PartyRecorded } from '../../../services/kernel/parties.ts';
import { openExaminerEnv, type ExaminerEnv, type ExaminerWishes } from '../../support/examiner-env.ts';
import { startWrongReceiver, type WrongReceiver } from '../../support/wrong-receiver.ts';
import { changeStatus, ON } from '../../support/wrong-receiver/mistake.ts';
import { KNOWN } from '../../support/wrong-receiver/receiver.ts';

let partner: WrongReceiver;
let env: ExaminerEnv;
beforeAll(async () => { partner = await startWrongReceiver(); });
afterAll(() => partner.close());
beforeEach(() => {
  partner.begin();
  env = openExaminerEnv();
});
afterEach(() => env.stop());

function reopen(wishes: ExaminerWishes): void {
  env = openExaminerEnv(wishes);
}

const aProvider = (change: Partial<PartyRecorded> = {}): Promise<PartyRecorded> => env.party({
  base_url: `${partner.url}/`,
  authentication: { kind: 'static', sealed_token: env.vault.seal(KNOWN.commandToken) }, ...change,
});
const aCarrier = (change: Partial<PartyRecorded> = {}): Promise<PartyRecorded> => env.party({
  kind: 'carrier', base_url: partner.url, feed: true,
  authentication: {
    kind: 'client_credentials', token_url: `${partner.url}/oauth/token`, audience: 'authorizations',
    client_id: KNOWN.clientId, sealed_secret: env.vault.seal(KNOWN.clientSecret),
  },
  ...change,
});

/** Asks for the party's examination and has it made. */
async function examined({ party_id }: PartyRecorded): Promise<AddressExamination> {
  await env.ask(party_id);
  await env.poll();
  expect(env.crashes).toEqual([]);
  return env.newest(party_id);
}

function byOutcome(
  { checks }: Pick<AddressExamination, 'checks'>, outcome: ExaminedCheck['outcome'],
): readonly string[] {
  return checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
}

const idsOf = (role: 'provider' | 'carrier'): readonly string[] => checksOf(role).map(({ id }) => id);

describe('an examination', () => {
  it('of a provider makes every check of its role with the registered token, and all pass', async () => {
    const ended = await examined(await aProvider());
    expect(byOutcome(ended, 'passed')).toEqual(idsOf('provider'));
    expect(ended).toMatchObject({ planned: idsOf('provider').length, stopped: undefined });
    expect(ended.endedAtMs).toBeGreaterThanOrEqual(ended.startedAtMs ?? Infinity);
    expect(partner.asked().every(({ path }) => path === '/rtt/commands')).toBe(true);
  });

  it('says which check fails, and what was asked and answered', async () => {
    partner.begin(changeStatus(ON.commands, 403, 401));
    const ended = await examined(await aProvider());
    expect(byOutcome(ended, 'failed')).toEqual(['command-token']);
    expect(ended.checks.find(({ id }) => id === 'command-token')?.reasons[0])
      .toMatch(/^POST \/rtt\/commands answered 401, not 403/);
  });

  it('of a carrier takes tokens by the registered credentials', async () => {
    const ended = await examined(await aCarrier());
    expect(byOutcome(ended, 'failed')).toEqual([]);
    expect(byOutcome(ended, 'skipped')).toEqual([]);
    expect(ended.checks.map(({ id }) => id)).toEqual(idsOf('carrier'));
  });

  it('of a carrier with one token skips what needs another one, and says so', async () => {
    const issued = await fetch(`${partner.url}/oauth/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'authorization': `Basic ${btoa(`${KNOWN.clientId}:${KNOWN.clientSecret}`)}`,
      },
      body: JSON.stringify({ audience: 'authorizations', grant_type: 'client_credentials' }),
    });
    const { access_token: token } = await issued.json() as { access_token: string };
    const ended = await examined(await aCarrier({
      feed: false, authentication: { kind: 'static', sealed_token: env.vault.seal(token) },
    }));
    expect(byOutcome(ended, 'failed')).toEqual([]);
    expect(byOutcome(ended, 'skipped')).toEqual(['authorization-token-answers', 'cancellation-token']);
    expect(ended.checks.find(({ id }) => id === 'cancellation-token')?.reasons)
      .toEqual(['the registered credentials give no token that is for rtt alone']);
    expect(ended.checks.some(({ id }) => id.startsWith('feed-'))).toBe(false);
  });

  it('fails where the registered credentials are refused, and shows no secret', async () => {
    const wrong = 'a-secret-that-the-carrier-does-not-know';
    const ended = await examined(await aCarrier({
      authentication: {
        kind: 'client_credentials', token_url: `${partner.url}/oauth/token`,
        audience: 'authorizations', client_id: KNOWN.clientId, sealed_secret: env.vault.seal(wrong),
      },
    }));
    expect(byOutcome(ended, 'passed')).toEqual([]);
    expect(ended.checks[0]?.reasons)
      .toEqual(['no token by the registered credentials (token_refused)']);
    expect(JSON.stringify(ended) + env.lines()).not.toContain(wrong);
  });

  it('shows no token, though an answer repeats it', async () => {
    partner.begin({
      changeAnswer: (reply, { headers }) => ({
        status: 418, body: { you: headers['authorization'] },
        headers: { 'www-authenticate': headers['authorization'] ?? '', ...reply.headers },
      }),
    });
    const ended = await examined(await aProvider());
    expect(byOutcome(ended, 'failed').length).toBeGreaterThan(5);
    expect(JSON.stringify(ended)).toContain('[token]');
    const kept = JSON.stringify(env.states.dump());
    expect(kept + env.lines()).not.toContain(KNOWN.commandToken);
  });

  it('shows each check as it is made', async () => {
    const seen: number[] = [];
    const { party_id } = await aProvider();
    let last = 0;
    partner.begin({
      changeAnswer: (reply) => {
        void env.newest(party_id).then(({ checks }) => {
          if (checks.length > last) seen.push(last = checks.length);
        });
        return reply;
      },
    });
    await env.ask(party_id);
    await env.poll();
    expect(seen.length).toBeGreaterThan(5);
  });
});

describe('who is not examined', () => {
  it.each([
    ['was disabled', { status: 'disabled' }], ['is another client meanwhile', { client_id: '100000000000043' }],
  ] as const)('is a party that %s: nothing is sent, and the run says so', async (_what, change) => {
    const party = await aProvider();
    await env.ask(party.party_id);
    await env.states.parties.apply({ ...party, version: 2, ...change });
    await env.poll();
    const ended = await env.newest(party.party_id);
    expect(ended).toMatchObject({
      stopped: 'the platform does not call this party for the client any more', checks: [],
    });
    expect(ended.endedAtMs).toBeDefined();
    expect(partner.asked()).toEqual([]);
  });

  it('is an address that the rules of parties forbid', async () => {
    await env.stop();
    reopen({ outbound: { refusesLoopback: true } });
    const ended = await examined(await aProvider());
    expect(ended.stopped).toBe(`${partner.url} gave no answer (forbidden_address)`);
    expect(partner.asked()).toEqual([]);
  });
});

describe('a run that a process left', () => {
  it('is ended by the next one, and not made again', async () => {
    const { party_id } = await aProvider();
    await env.ask(party_id);
    await env.states.examinations.begin(await env.newest(party_id), 10);
    await env.poll();
    expect(await env.newest(party_id)).toMatchObject({
      stopped: 'the run was interrupted; ask for another one',
    });
    expect(partner.asked()).toEqual([]);
  });

  it('ends at once where its process is stopped', async () => {
    const { party_id } = await aProvider();
    partner.begin({ changeAnswer: () => ({ status: 429, body: {}, headers: { 'retry-after': '100' } }) });
    await env.ask(party_id);
    env.start();
    await expect.poll(() => partner.asked().length).toBe(1);
    await env.stop();
    expect(await env.newest(party_id)).toMatchObject({
      stopped: 'the process that examined was stopped; ask for another one',
    });
  });

  it('does not take the next one with it, which was asked for at its very end', async () => {
    const { party_id } = await aProvider();
    await env.ask(party_id);
    const { examinations } = env.states;
    const { end } = examinations;
    let ends = 0;
    Object.assign(examinations, {
      end: async (...given: Parameters<typeof end>) => {
        await end(...given);
        if ((ends += 1) === 1) await env.ask(party_id);
      },
    });
    await env.poll();
    expect((await env.newest(party_id)).startedAtMs).toBeUndefined();
    await env.poll();
    expect(ends).toBe(2);
    expect((await env.newest(party_id)).checks).toHaveLength(idsOf('provider').length);
  });
});
