import { randomBytes } from 'node:crypto';
import { KNOWN, refuse, type Route, type RouteCall, type Told } from './world.ts';

/** Endpoints 2 and 3. */
export const TOKEN_ROUTES: readonly Route[] = [
  {
    pattern: /^POST \/oauth\/token$/, form: 'token', denials: [401, 401], schema: 'TokenRequest',
    handle: issue,
  },
  {
    pattern: /^POST \/oauth\/revoke$/, form: 'revoke', audience: 'revoke', denials: [401, 401],
    handle: revoke,
  },
];

function issue({ headers, body, world }: RouteCall): Told {
  const wanted = Buffer.from(`${KNOWN.clientId}:${KNOWN.clientSecret}`).toString('base64');
  if (headers['authorization'] !== `Basic ${wanted}`) return refuse('token', 401, 'invalid_client');
  const access_token = randomBytes(32).toString('base64url');
  world.tokens.set(access_token, { audience: String(body['audience']), revoked: false });
  return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 21_600 } };
}

function revoke({ body, world }: RouteCall): Told {
  if (body['token'] === body['header']) return refuse('revoke', 400, 'same_token');
  const token = world.tokens.get(String(body['token']));
  if (token !== undefined) token.revoked = true;
  return { status: 200, body: { status: 'OK' } };
}
