import { ours, verify, type Check } from '../check.ts';
import { matches, member, status } from '../findings.ts';
import { registerAsk } from '../asks.ts';
import type { Session } from '../session.ts';
import type { Ask, KitReply } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 3, revoke token. */
export const revocationChecks: readonly Check[] = [
  {
    id: 'revoke-at-once', rows: ['TOK-16', 'TOK-17', 'RTT-04'], role: 'receiver',
    title: 'A revoked token is refused at once, with 403 on RTT calls',
    level: 'must',
    run: async (session) => {
      const token = await session.freshToken('rtt');
      const before = await session.send({ ...registerAsk(session), token });
      const reply = await revoke(session, token);
      const after = await session.send({ ...registerAsk(session), token });
      return verify(
        status(before, 201), status(reply, 200), member(reply, '/status', 'OK'), status(after, 403),
      );
    },
  },
  {
    id: 'revoke-others', rows: ['TOK-18'], role: 'receiver',
    title: 'A revocation leaves the other tokens and its own header token valid',
    level: 'must',
    run: async (session) => {
      const header = await session.freshToken('revoke');
      const [gone, stays] = [await session.freshToken('rtt'), await session.freshToken('rtt')];
      const first = await revoke(session, gone, header);
      const kept = await session.send({ ...registerAsk(session), token: stays });
      return verify(
        status(first, 200), status(kept, 201), status(await revoke(session, gone, header), 200),
      );
    },
  },
  {
    id: 'revoke-itself', rows: ['TOK-19'], role: 'receiver',
    title: 'A token cannot revoke itself: 400 FAILED, and it stays valid',
    level: 'should',
    remark: 'Answer 400 FAILED: the interface forbids the call and names no answer.',
    run: async (session) => {
      const header = await session.freshToken('revoke');
      const reply = await revoke(session, header, header);
      const next = await revoke(session, await session.freshToken('rtt'), header);
      return verify(failed(reply, 400), status(next, 200));
    },
  },
  {
    id: 'revoke-header', rows: ['TOK-20'], role: 'receiver',
    title: 'Without a header token of audience revoke nothing is revoked: 401 FAILED',
    level: 'must',
    run: async (session) => {
      const token = await session.freshToken('rtt');
      const other = await session.freshToken('rtt');
      const replies = [
        await revoke(session, token, null), await revoke(session, token, 'nonsense'),
        await revoke(session, token, other),
      ];
      const after = await session.send({ ...registerAsk(session), token });
      return verify(
        ...replies.map((reply) => status(reply, 400, 401) ?? ours(
          'Answer 401 FAILED with a message, as for any call without a good token.',
          failed(reply, 401),
        )),
        status(after, 201),
      );
    },
  },
  {
    id: 'revoke-form', rows: ['TOK-21'], role: 'receiver',
    title: 'A revocation without the form field token is refused: 400 FAILED',
    level: 'must',
    run: async (session) => {
      const ask = await revokeAsk(session, 'x');
      const asJson = {
        ...ask, body: '{"token":"x"}', headers: { 'content-type': 'application/json' },
      };
      return verify(
        failed(await session.send({ ...ask, body: 'other=x' }), 400),
        ours(REMARKS.form, failed(await session.send(asJson), 400)),
      );
    },
  },
  {
    id: 'revoke-unknown', rows: ['TOK-23'], role: 'receiver',
    title: 'Revoking an unknown token is answered like any other: 200 OK',
    level: 'should',
    remark: 'Answer 200 OK (RFC 7009), so that callers cannot find out which tokens exist.',
    run: async (session) => {
      const reply = await revoke(session, 'nobody-ever-issued-this-token-0123456789abc');
      return verify(status(reply, 200), member(reply, '/status', 'OK'));
    },
  },
];

/** Endpoint 3 as the contract has it: the token to revoke in a form, ours in the header. */
async function revokeAsk(
  session: Session, token: string, header?: string | null,
): Promise<Ask> {
  return {
    path: '/oauth/revoke',
    atTokens: true,
    token: header === undefined ? await session.token('revoke') : header,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  };
}

async function revoke(
  session: Session, token: string, header?: string | null,
): Promise<KitReply> {
  return session.send(await revokeAsk(session, token, header));
}

function failed(reply: KitReply, wanted: number): readonly string[] {
  return [
    status(reply, wanted), member(reply, '/status', 'FAILED'), matches(reply, '/message', /./),
  ].flatMap((each) => each ?? []);
}
