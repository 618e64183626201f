import { beforeEach, describe, expect, it } from 'vitest';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { OutboundReply, OutboundRequest } from '../../../services/kernel/outbound.ts';
import { createPartyTokens, type PartyTokens } from '../../../services/workers/parties/common/party-tokens.ts';
import { sendOnce } from '../../../services/workers/parties/commands/send-command.ts';
import { aCommand, aParty, placedCommands } from '../../support/command-facts.ts';
import { memoryStates } from '../../support/memory-states.ts';

const CONFIG = { backoffFirstMs: 1_000, backoffMsMax: 300_000, throttledMs: 300_000 };
const vault = {
  seal: (text: string) => `sealed:${text}`,
  open: (sealed: string) => {
    if (!sealed.startsWith('sealed:')) throw new Error('No key of this vault opens it.');
    return sealed.replace('sealed:', '');
  },
};
const party = aParty({
  authentication: {
    kind: 'client_credentials', token_url: 'https://acme.example/oauth/token',
    client_id: 'rastro', sealed_secret: 'sealed:s3cret', audience: 'rtt',
  },
});

let nowMs: number;
let asked: OutboundRequest[];
let unreadable: string[];
let script: (request: OutboundRequest, count: number) => OutboundReply;
let tokens: PartyTokens;

function answer(status: number, body: object = {}): OutboundReply {
  return {
    kind: 'answer', status, headers: {}, body: Buffer.from(JSON.stringify(body)), isCut: false,
  };
}

const outbound = async (request: OutboundRequest): Promise<OutboundReply> => {
  asked.push(request);
  return script(request, asked.length);
};

beforeEach(() => {
  nowMs = 0;
  asked = [];
  unreadable = [];
  script = (_request, count) => answer(200, { access_token: `t${count}`, expires_in: 21_600 });
  tokens = createPartyTokens({
    outbound, vault, clock: { nowMs: () => nowMs },
    signals: {
      ...silentSignals, partySecretUnreadable: ({ party_id }) => { unreadable.push(party_id); },
    },
  });
});

describe('tokens for parties', () => {
  it('are taken by client credentials, as the interface says', async () => {
    expect(await tokens.current(party)).toEqual({ kind: 'token', token: 't1' });
    expect(asked[0]).toMatchObject({
      method: 'POST', url: 'https://acme.example/oauth/token',
      headers: { authorization: `Basic ${Buffer.from('rastro:s3cret').toString('base64')}` },
    });
    expect(JSON.parse(String(asked[0]!.body)))
      .toEqual({ audience: 'rtt', grant_type: 'client_credentials' });
  });

  it('are shared by all who wait, kept while they last, and dropped when refused', async () => {
    const readings = await Promise.all(Array.from({ length: 9 }, () => tokens.current(party)));
    expect(new Set(readings.map((each) => JSON.stringify(each))).size).toBe(1);
    nowMs = 21_600_000 * 0.89;
    await tokens.current(party);
    expect(asked).toHaveLength(1);
    nowMs = 21_600_000 * 0.91;
    expect(await tokens.current(party)).toEqual({ kind: 'token', token: 't2' });
    tokens.discard(party, 't1');
    expect(await tokens.current(party)).toEqual({ kind: 'token', token: 't2' });
    tokens.discard(party, 't2');
    expect(await tokens.current(party)).toEqual({ kind: 'token', token: 't3' });
    expect(await tokens.current({ ...party, version: 2 })).toEqual({ kind: 'token', token: 't4' });
  });

  it.each([
    [answer(500), 'token_unavailable'], [answer(429), 'token_unavailable'],
    [{ kind: 'lost', reason: 'timeout' } as const, 'token_unavailable'],
    [answer(401), 'token_refused'], [answer(400), 'token_refused'], [answer(302), 'token_refused'],
    [answer(200, { token: 'x' }), 'token_refused'],
    [answer(200, { access_token: 'a\r\nb', expires_in: 60 }), 'token_refused'],
    [answer(200, { access_token: 'токен', expires_in: 60 }), 'token_refused'],
    [answer(200, { access_token: 'a'.repeat(8_193), expires_in: 60 }), 'token_refused'],
  ])('of %o are none', async (reply, reason) => {
    script = () => reply;
    expect(await tokens.current(party)).toEqual({ kind: 'no_token', reason });
  });

  it('[CMD-43] are none where no key of the vault opens the secret, for that party alone', async () => {
    const sealedElsewhere = aParty({
      party_id: 'elsewhere', authentication: { kind: 'static', sealed_token: 'other key' },
    });
    const alsoElsewhere = { ...party, authentication: {
      ...party.authentication, sealed_secret: 'other key',
    } } as typeof party;
    const none = { kind: 'no_token', reason: 'token_unavailable' };
    expect(await tokens.current(sealedElsewhere)).toEqual(none);
    expect(await tokens.current(alsoElsewhere)).toEqual(none);
    expect(unreadable).toEqual(['elsewhere', party.party_id]);
    expect(asked).toEqual([]);
    expect(await tokens.current(party)).toEqual({ kind: 'token', token: 't1' });
  });

  it('[CMD-43] that are static and fit no header are none', async () => {
    const static_ = aParty({ authentication: { kind: 'static', sealed_token: 'sealed:a\nb' } });
    expect(await tokens.current(static_)).toEqual({ kind: 'no_token', reason: 'token_refused' });
  });

  it('that are static come out of the vault', async () => {
    expect(await tokens.current(aParty())).toEqual({ kind: 'token', token: 't0' });
    expect(asked).toEqual([]);
  });
});

describe('an attempt', () => {
  const [command] = placedCommands([aCommand('start_tracking', 42)]);

  async function send(hasRight = () => true) {
    const { parties } = memoryStates();
    await parties.apply({ ...party, base_url: 'https://acme.example/base/' });
    const ports = { parties, tokens, outbound, random: () => 1 };
    return sendOnce(CONFIG, ports, command!, 1, hasRight);
  }

  const calls = () => asked.filter(({ url }) => url.endsWith('/rtt/commands'));
  const token = answer(200, { access_token: 'taken', expires_in: 60 });

  it('[CMD-30] takes a new token once after 401 and sends again', async () => {
    script = ({ url }) => {
      if (!url.endsWith('/rtt/commands')) {
        return answer(200, { access_token: `taken-${asked.length}`, expires_in: 60 });
      }
      return answer(calls().length === 1 ? 401 : 200);
    };
    expect(await send()).toMatchObject({ verdict: { step: 'end', outcome: 'done' }, status: 200 });
    const used = calls().map(({ headers }) => headers['authorization']);
    expect(used).toEqual(['Bearer taken-1', 'Bearer taken-3']);
    expect(calls()[0]!.url).toBe('https://acme.example/base/rtt/commands');
  });

  it('[CMD-30] ends after the second 401', async () => {
    script = ({ url }) => (url.endsWith('/rtt/commands') ? answer(401) : token);
    expect(await send()).toMatchObject({ verdict: { step: 'end', outcome: 'ended' }, status: 401 });
    expect(calls()).toHaveLength(2);
  });

  it('without a token is put off, not ended', async () => {
    script = () => answer(401);
    expect(await send()).toMatchObject({ verdict: { step: 'retry', reason: 'token_refused' } });
    expect(calls()).toHaveLength(0);
  });

  it('does not go out when the right to send was lost while a token was taken', async () => {
    script = () => token;
    expect(await send(() => asked.length === 0)).toEqual({ kind: 'held', code: 'no_right' });
    expect(calls()).toHaveLength(0);
  });
});
