import { beforeEach, describe, expect, it } from 'vitest';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { issueToken } from '../../../services/gateways/oauth/operations/issue-token.ts';
import { revokeToken } from '../../../services/gateways/oauth/operations/revoke-token.ts';
import type { ClientRecorded } from '../../../services/kernel/access.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';

const [KNOWN, DISABLED, UNKNOWN] = ['100000000000001', '100000000000002', '100000000000003'];
const real = keyedSecrets('pepper-of-the-test');
const clock = { nowMs: () => 1_000 };

const clientOf = (client_id: string, status: ClientRecorded['status']): ClientRecorded => ({
  type: 'ClientRecorded', client_id, user_id: '7', name: 'Acme', providers: ['acme'],
  audiences: ['rtt', 'revoke'], scopes: [], status, version: 1, at_ms: 0,
  secrets: [{ secret_id: 's', hash: real.hash('good'), created_at_ms: 0 }],
});

describe('what a stranger learns from the token endpoints', () => {
  let states: FakeStates;
  const work: string[] = [];

  beforeEach(async () => {
    work.length = 0;
    states = fakeStates({ tokenRequestsBurst: 1_000 });
    await states.access.applyClient(clientOf(KNOWN ?? '', 'active'));
    await states.access.applyClient(clientOf(DISABLED ?? '', 'disabled'));
  });

  async function ask(id = '', secret = ''): Promise<string> {
    const operation = issueToken({
      log: fakeRecordLog(), clock,
      states: {
        ...states.access,
        chargeTokenRequest: (...given) => {
          work.push('charge');
          return states.access.chargeTokenRequest(...given);
        },
        chargeProvenClient: (...given) => {
          work.push('prove');
          return states.access.chargeProvenClient(...given);
        },
        recordTokenFailure: (...given) => {
          work.push('fail');
          return states.access.recordTokenFailure(...given);
        },
        findClient: (given) => {
          work.push('find');
          return states.access.findClient(given);
        },
      },
      secrets: {
        ...real,
        matches: (hashes, given) => {
          work.push('compare');
          return real.matches(hashes, given);
        },
      },
    });
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const body = { audience: 'rtt', grant_type: 'client_credentials' };
    const answer = await operation.handle(callOf({ headers: { authorization }, body }));
    return JSON.stringify(written(operation, answer));
  }

  it('is the same, byte for byte, for an unknown, a disabled and a wrong client', async () => {
    const answers = [
      await ask(UNKNOWN, 'good'), await ask(KNOWN, 'wrong'), await ask(DISABLED, 'good'),
      await ask(DISABLED, 'wrong'), await ask(KNOWN, ''), await ask('x', 'y'.repeat(500)),
    ];
    expect(answers[0]).toContain('"status":401');
    expect(new Set(answers).size).toBe(1);
    expect(await ask(KNOWN, 'good')).toContain('"status":200');
  });

  it('costs the same work, whether or not the client is there', async () => {
    const each: string[] = [];
    for (const [id, secret] of [[UNKNOWN, 'good'], [KNOWN, 'wrong'], [DISABLED, 'good']] as const) {
      work.length = 0;
      await ask(id, secret);
      each.push(work.join(' '));
    }
    expect(each).toEqual(Array<string>(3).fill('find compare charge fail'));
    work.length = 0;
    await ask(KNOWN, 'good');
    expect(work.join(' ')).toBe('find compare prove');
  });

  it('is the same, byte for byte, for each of them after many failures', async () => {
    const answers: string[][] = [];
    for (const [id, secret] of [[UNKNOWN, 'good'], [KNOWN, 'wrong'], [DISABLED, 'good']] as const) {
      answers.push([]);
      for (let i = 0; i < 7; i++) answers.at(-1)?.push(await ask(id, secret));
    }
    expect(answers[0]?.slice(0, 5).every((answer) => answer.includes('"status":401'))).toBe(true);
    expect(answers[0]?.slice(5).every((answer) => answer.includes('"status":429'))).toBe(true);
    expect(new Set(answers.map((each) => each.join(' '))).size).toBe(1);
  });

  it('is the same, byte for byte, for tokens that are unknown, foreign or none', async () => {
    const foreign = `00${'f'.repeat(43)}`;
    const operation = revokeToken({ states: states.access, log: fakeRecordLog(), clock });
    const header = { authorization: `Bearer 00${'h'.repeat(43)}` };
    const answers = await Promise.all([foreign, `01${'u'.repeat(43)}`, 'no token', ''].map(
      async (token) => JSON.stringify(written(operation, await operation.handle(callOf({
        clientId: KNOWN ?? '', body: { token }, headers: header,
      })))),
    ));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"status":200');
  });
});
