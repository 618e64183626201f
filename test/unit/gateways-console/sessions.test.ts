import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { systemClock } from '../../../services/adapters/system/system.ts';
import { revokeTokens } from '../../../services/domain/client/client.ts';
import { decideLink } from '../../../services/domain/token/session.ts';
import { showLimits } from '../../../services/gateways/query/operations/show-limits.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { FREE_TENANTS } from '../../support/free-tenants.ts';
import { openEdge, type Edge } from '../../support/edge.ts';
import { CLIENT, consoleEnv, type ConsoleEnv } from './console-env.ts';

const schemas = loadSchemas();
let at: ConsoleEnv;
let edge: Edge;

beforeEach(async () => {
  at = await consoleEnv();
  const limits = showLimits('show-limits', {
    access: at.states.access, overflow: at.states.overflow, limitUse: at.states.limitUse,
    clock: systemClock,
    rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants,
  }, problemErrors);
  edge = await openEdge({ operations: [...at.operations, limits], admission: at.states.admission });
});
afterEach(() => edge.close());

interface Seen {
  readonly status: number;
  readonly cookie: string | null;
  readonly body: Record<string, unknown>;
}

async function call(
  method: string, path: string, headers: Readonly<Record<string, string>>,
): Promise<Seen> {
  const response = await fetch(edge.url + path, { method, headers });
  const cookie = response.headers.get('set-cookie');
  const body = await response.json() as Record<string, unknown>;
  return { status: response.status, cookie, body };
}

const open = (link: string): Promise<Seen> =>
  call('POST', '/console/session', { authorization: `Bearer ${link}` });
const cookieOf = ({ cookie }: Seen): string => cookie?.split(';')[0] ?? '';
const show = (cookie: string): Promise<Seen> => call('GET', '/console/session', { cookie });
const limits = (cookie: string): Promise<Seen> => (
  call('GET', '/shipping/rtt/limits?country_id=BR', { cookie }));

describe('a link', () => {
  it('opens a session that is its client, for what the client may have tokens of', async () => {
    const opened = await open(await at.link());
    expect(opened.status).toBe(200);
    expect(opened.body).toEqual({
      client_id: CLIENT.client_id, name: 'Acme', audiences: ['rtt', 'tracking-pull'],
      scopes: ['query:read'], providers: ['acme'], country_id: 'BR',
    });
    expect((await show(cookieOf(opened))).body).toEqual(opened.body);
    expect((await limits(cookieOf(opened))).status).toBe(200);
  });

  it('opens one session alone, also of two that come at once', async () => {
    const link = await at.link();
    const both = await Promise.all([open(link), open(link)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect((await open(link)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('is over after ten minutes, and not before', async () => {
    const [early, late] = [await at.link(), await at.link()];
    at.time.nowMs += 599_000;
    expect((await open(early)).status).toBe(200);
    at.time.nowMs += 1_000;
    expect((await open(late)).status).toBe(403);
  });

  it('is no token for anything else, and nothing else is a link', async () => {
    const link = await at.link();
    const bearer = { authorization: `Bearer ${link}` };
    expect((await call('GET', '/shipping/rtt/limits?country_id=BR', bearer)).body)
      .toMatchObject({ code: 'wrong_audience' });
    const [, token = ''] = /console:([\w-]+)/.exec(cookieOf(await open(link))) ?? [];
    expect((await open(token)).body).toMatchObject({ code: 'wrong_audience' });
  });

  it('is refused once the tokens of its client were revoked, as its sessions are', async () => {
    const [used, link] = [await at.link(), await at.link()];
    const cookie = cookieOf(await open(used));
    await at.states.access.applyClient(revokeTokens(CLIENT, 1));
    expect([(await open(link)).status, (await show(cookie)).status, (await limits(cookie)).status])
      .toEqual([403, 403, 403]);
  });

  it('is none for a client that is disabled or that the console has nothing for', () => {
    expect(decideLink({ ...CLIENT, status: 'disabled' }, 'h', 1)).toMatchObject({ code: 'invalid_client' });
    expect(decideLink({ ...CLIENT, audiences: ['revoke'] }, 'h', 1)).toMatchObject({ code: 'invalid_target' });
  });

  it('leaves hashes in the log alone, in facts as their schema has them', async () => {
    const link = await at.link();
    const cookie = cookieOf(await open(link));
    const facts = at.log.of(TOPICS.tokens.name).map(({ value }) => value);
    expect(facts).toHaveLength(4);
    for (const fact of facts) expect(schemas.checkOf('TokenRecord')(fact)).toBeUndefined();
    for (const secret of [link, ...cookie.split(/[.:=]/).filter((part) => part.length === 45)]) {
      expect(JSON.stringify(facts)).not.toContain(secret);
    }
  });
});

describe('a session', () => {
  it('lasts half a day', async () => {
    const cookie = cookieOf(await open(await at.link()));
    at.time.nowMs += 43_199_000;
    expect((await show(cookie)).status).toBe(200);
    at.time.nowMs += 1_000;
    expect((await show(cookie)).status).toBe(403);
  });

  it('is ended for good, with each of its tokens', async () => {
    const cookie = cookieOf(await open(await at.link()));
    const ended = await call('POST', '/console/session/end', { cookie, origin: edge.url });
    expect([ended.status, cookieOf(ended)]).toEqual([200, 'rastro-session=']);
    expect([(await show(cookie)).status, (await limits(cookie)).status]).toEqual([403, 403]);
    expect(at.log.of(TOPICS.tokens.name).filter(({ value }) => (
      (value as { type: string }).type === 'TokenRevoked'))).toHaveLength(4);
  });

  it('is not ended by another site', async () => {
    const cookie = cookieOf(await open(await at.link()));
    for (const headers of [{ cookie }, { cookie, origin: 'http://evil.example' }]) {
      expect((await call('POST', '/console/session/end', headers)).status).toBe(403);
    }
    expect((await show(cookie)).status).toBe(200);
  });

  it('gives way to a token that is sent beside it', async () => {
    const cookie = cookieOf(await open(await at.link()));
    const sent = await call('GET', '/console/session', { cookie, authorization: 'Bearer nothing' });
    expect(sent.status).toBe(403);
  });
});
