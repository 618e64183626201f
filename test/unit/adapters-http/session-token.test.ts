import { describe, expect, it } from 'vitest';
import { sessionToken } from '../../../services/adapters/http/request/session-token.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { sessionCookie } from '../../../services/kernel/sessions.ts';

const HOST = 'rastro.example';
const [RTT, PLATFORM] = ['01', '02'].map((shard) => `${shard}${'t'.repeat(43)}`);
const cookieOf = (tokens: Readonly<Record<string, string | undefined>>): string => (
  sessionCookie(new Map(Object.entries(tokens) as [string, string][]), HOST).split(';')[0] ?? ''
);
const BOTH = cookieOf({ rtt: RTT, platform: PLATFORM });

function tokenFor(
  operation: Partial<Operation>, headers: Readonly<Record<string, string>>, method = 'GET',
): string | undefined {
  return sessionToken(
    { method, headers: { host: HOST, cookie: BOTH, ...headers } }, operation as Operation,
  );
}

describe('the token of a session', () => {
  it('is the one of the audience of the operation, and of no other', () => {
    expect(tokenFor({ audience: 'rtt' }, {})).toBe(RTT);
    expect(tokenFor({ audience: 'platform' }, {})).toBe(PLATFORM);
    expect(tokenFor({ audience: 'tracking-pull' }, {})).toBeUndefined();
    expect(tokenFor({}, {})).toBeUndefined();
  });

  it('is that of the platform where the operation is open to it too', () => {
    const cookie = cookieOf({ platform: PLATFORM });
    expect(tokenFor({ audience: 'rtt', platformScope: 'platform:read' }, { cookie })).toBe(PLATFORM);
    expect(tokenFor({ audience: 'rtt' }, { cookie })).toBeUndefined();
  });

  it.each(['cross-site', 'same-site', 'something'])('does not count for a call that is %s', (site) => {
    expect(tokenFor({ audience: 'rtt' }, { 'sec-fetch-site': site })).toBeUndefined();
  });

  it.each(['same-origin', 'none'])('counts for a call that is %s', (site) => {
    expect(tokenFor({ audience: 'rtt' }, { 'sec-fetch-site': site })).toBe(RTT);
  });

  it.each([
    [undefined, undefined], ['https://evil.example', undefined], ['null', undefined],
    [`https://${HOST}.evil.example`, undefined], [`https://${HOST}:444`, undefined], [`https://${HOST}`, RTT],
  ])('of a POST from %s is %s', (origin, token) => {
    expect(tokenFor({ audience: 'rtt' }, origin === undefined ? {} : { origin }, 'POST')).toBe(token);
  });
});
