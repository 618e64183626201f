import { describe, expect, it } from 'vitest';
import { endedCookie, readSession, sessionCookie } from '../../../services/kernel/sessions.ts';

const TOKENS = new Map([['console', `01${'a'.repeat(43)}`], ['tracking-pull', `01${'b'.repeat(43)}`]]);
const valueOf = (cookie: string): string => cookie.split(';')[0] ?? '';

describe('the cookie of a session', () => {
  it.each([
    ['localhost:8080', 'rastro-session='], ['127.0.0.1', 'rastro-session='], ['[::1]:1', 'rastro-session='],
    ['rastro.example', '__Host-rastro-session='], ['localhost.example:8080', '__Host-rastro-session='],
    [undefined, '__Host-rastro-session='],
  ])('at %s begins with %s and is read again', (host, begins) => {
    const cookie = sessionCookie(TOKENS, host);
    expect(cookie.startsWith(begins)).toBe(true);
    expect(readSession(valueOf(cookie), host)).toEqual(TOKENS);
    expect(readSession(`a=1; ${valueOf(cookie)}; b=2`, host)).toEqual(TOKENS);
  });

  it('is for no script, no other site, no other line and half a day', () => {
    expect(sessionCookie(TOKENS, 'rastro.example')).toMatch(
      /; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
    expect(sessionCookie(TOKENS, 'localhost')).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(endedCookie('rastro.example')).toMatch(/^__Host-rastro-session=; Path=\/; Max-Age=0;/);
  });

  it('is not taken with the name of a line without TLS, nor twice', () => {
    const local = valueOf(sessionCookie(TOKENS, 'localhost'));
    expect(readSession(local, 'rastro.example')).toEqual(new Map());
    expect(readSession(`${local}; ${local}`, 'localhost')).toEqual(new Map());
  });

  it.each(['', 'rastro-session=', 'rastro-session=x', 'rastro-session=console:short',
    `rastro-session=CONSOLE:01${'a'.repeat(43)}`, `rastro-session=01${'a'.repeat(43)}`])(
    'gives nothing out of %j', (cookie) => {
      expect(readSession(cookie, 'localhost')).toEqual(new Map());
    },
  );
});
