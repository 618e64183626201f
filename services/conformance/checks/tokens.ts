import { ours, verify, type Check, type Finding } from '../check.ts';
import { different, header, matches, member, status } from '../findings.ts';
import { refuses } from '../flaws.ts';
import { tokenAsk } from '../session.ts';
import { registerAsk } from '../asks.ts';
import type { KitReply } from '../talk.ts';

/** Endpoint 2, generate token. */
export const tokenChecks: readonly Check[] = [
  {
    id: 'token-issued', rows: ['TOK-01', 'TOK-02', 'GEN-13'], role: 'receiver',
    title: 'A token comes with its type and its 21600 seconds',
    level: 'must',
    run: async (session) => {
      const reply = await session.send(tokenAsk(session.setup, 'rtt'));
      return verify(
        status(reply, 200), session.shape(reply, 'TokenResponse'),
        header(reply, 'content-type', /^application\/json\b/),
        member(reply, '/token_type', 'Bearer'), member(reply, '/expires_in', 21_600),
      );
    },
  },
  {
    id: 'token-unlike', rows: ['TOK-13'], role: 'receiver',
    title: 'No two requests get the same token',
    level: 'should',
    remark: 'Give each request a token of its own, so that revoking one leaves the others valid.',
    run: async (session) => verify(different(
      'access_token', await session.token('rtt'), await session.freshToken('rtt'),
    )),
  },
  {
    id: 'token-request', rows: ['TOK-03', 'TOK-04'], role: 'receiver',
    title: 'A missing or unknown audience or grant type is refused with 400',
    level: 'must',
    run: async (session) => verify(await refuses(session, tokenAsk(session.setup, 'rtt'), [
      '/audience', ['/audience', 'everything'], ['/audience', 7],
      '/grant_type', ['/grant_type', 'password'],
    ])),
  },
  {
    id: 'token-media-type', rows: ['TOK-05'], role: 'receiver',
    title: 'A token request that is neither JSON nor a form is refused with 400',
    level: 'must',
    run: async (session) => {
      const ask = tokenAsk(session.setup, 'rtt');
      const headers = { ...ask.headers, 'content-type': 'text/csv' };
      const body = 'audience,grant_type\nrtt,client_credentials';
      return verify(status(await session.send({ ...ask, body, headers }), 400));
    },
  },
  {
    id: 'token-as-form', rows: ['TOK-25'], role: 'receiver',
    title: 'A token request as a form is answered like the same in JSON',
    level: 'should',
    remark: 'Take token requests as forms too: stock OAuth libraries send nothing else.',
    run: async (session) => {
      const ask = tokenAsk(session.setup, 'rtt');
      const headers = { ...ask.headers, 'content-type': 'application/x-www-form-urlencoded' };
      const as = (body: string) => session.send({ ...ask, body, headers });
      const reply = await as('audience=rtt&grant_type=client_credentials');
      return verify(
        status(reply, 200), member(reply, '/token_type', 'Bearer'),
        matches(reply, '/access_token', /./),
        status(await as('audience=everything&grant_type=client_credentials'), 400),
      );
    },
  },
  {
    id: 'token-credentials', rows: ['TOK-06', 'TOK-07', 'TOK-09'], role: 'receiver',
    title: 'Only good credentials in the Basic header get a token, else 401',
    level: 'must',
    run: async (session) => {
      const { clientId, clientSecret } = session.setup;
      const ask = tokenAsk(session.setup, 'rtt');
      const as = (id: string, secret: string) => session.send(
        tokenAsk({ ...session.setup, clientId: id, clientSecret: secret }, 'rtt'),
      );
      const inBody = {
        ...(ask.json as object), client_id: clientId, client_secret: clientSecret,
      };
      return verify(
        status(await as(clientId, `${clientSecret}x`), 401),
        // Another one each time: failures for the same one may have to wait.
        status(await as(String(Date.now()).padStart(15, '9'), clientSecret), 401),
        ...[
          await session.send({ ...ask, headers: {} }),
          await session.send({ ...ask, headers: { authorization: 'Basic !' } }),
          await session.send({ ...ask, headers: {}, json: inBody }),
        ].flatMap(refusedAs401),
      );
    },
  },
  {
    id: 'token-error-body', rows: ['TOK-10', 'GEN-09'], role: 'receiver',
    title: 'A token error carries error and error_description beside the common body',
    level: 'should',
    remark: 'Put error and error_description of RFC 6749 into the errors of tokens.',
    run: async (session) => {
      const ask = tokenAsk(session.setup, 'rtt');
      const reply = await session.send({ ...ask, json: { audience: 'rtt' } });
      return verify(
        status(reply, 400), session.shape(reply, 'TokenProblemDetails'),
        matches(reply, '/error', /^[a-z_]+$/), member(reply, '/status', 400),
      );
    },
  },
  {
    id: 'token-audience', rows: ['TOK-12', 'RTT-05'], role: 'receiver',
    title: 'Tokens of several audiences live at once, each for its own audience only',
    level: 'must',
    run: async (session) => {
      const revoke = await session.token('revoke');
      const rtt = await session.token('rtt');
      const ask = registerAsk(session);
      return verify(
        status(await session.send({ ...ask, token: revoke }), 403),
        status(await session.send({ ...ask, token: rtt }), 201),
      );
    },
  },
];

/** Without good credentials a request is invalid or unauthorized: the interface has both. */
function refusedAs401(reply: KitReply): readonly Finding[] {
  const wrong = status(reply, 400, 401);
  return [wrong ?? ours('Answer 401 where there are no credentials.', status(reply, 401))];
}
