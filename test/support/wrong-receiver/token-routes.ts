import { randomBytes } from 'node:crypto';
import { KNOWN, refuse, type ReceiverRoute, type RouteCall, type ReceiverAnswer } from './receiver.ts';

/** Endpoints 2 and 3. */
export const TOKEN_ROUTES: readonly ReceiverRoute[] = [
  {
    pattern: /^POST \/oauth\/token$/, form: 'token', denials: [401, 401], schema: 'TokenRequest',
    handle: issue,
  },
  {
    pattern: /^POST \/oauth\/revoke$/, form: 'revoke', audience: 'revoke', denials: [401, 401],
    handle: revoke,
  },
];

function issue({ headers, body, memory }: RouteCall): ReceiverAnswer {
  const wanted = Buffer.from(`${KNOWN.clientId}:${KNOWN.clientSecret}`).toString('base64');
  if (headers['authorization'] !== `Basic ${wanted}`) return refuse('token', 401, 'invalid_client');
  const access_token = randomBytes(32).toString('base64url');
  memory.tokens.set(access_token, { audience: String(body['audience']), revoked: false });
  return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 21_600 } };
}

function revoke({ body, memory }: RouteCall): ReceiverAnswer {
  if (body['token'] === body['header']) return refuse('revoke', 400, 'same_token');
  const token = memory.tokens.get(String(body['token']));
  if (token !== undefined) token.revoked = true;
  return { status: 200, body: { status: 'OK' } };
}
