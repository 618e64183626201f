import type { Audience } from '../../schemas/generated/types.ts';

/** Audience of a one-time link of the console. */
export const LINK_AUDIENCE = 'console-link';
/** Audience of the token that a session is shown and ended by. */
export const CONSOLE_AUDIENCE = 'console';

/** Seconds that a link can be opened. */
export const LINK_SECONDS = 600;
/** Seconds that a session lasts. */
export const SESSION_SECONDS = 43_200;

/** What the pages ask for; of these a session has those of its client. */
export const SESSION_AUDIENCES: readonly Audience[] = [
  'platform', 'rtt', 'tracking-pull', 'logistic-feed', 'authorizations',
];

/** The tokens of a session by their audience: each opens what any token of it opens. */
export type SessionTokens = ReadonlyMap<string, string>;

/** What the pages may know of the client whose session they have; no rule hangs on it. */
export interface BrowserSession {
  readonly client_id: string;
  readonly name: string;
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  readonly providers: readonly string[];
  /** A country that is served here, for calls that must name one. */
  readonly country_id: string;
}

const NAME = 'rastro-session';
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
const PART = /^([a-z-]{1,32}):([A-Za-z0-9_-]{45})$/;

/**
 * Name of the cookie. `__Host-` keeps every other host and every line without TLS from setting it;
 * on the machine itself there is no TLS, and the name has no such beginning.
 */
function nameAt(host: string | undefined): string {
  return isLoopback(host) ? NAME : `__Host-${NAME}`;
}

function isLoopback(host: string | undefined): boolean {
  return LOOPBACK.test(host ?? '');
}

/**
 * Reads the session of a request from its headers `Cookie` and `Host`; empty where there is none,
 * and where its name stands twice.
 */
export function readSession(cookie: string | undefined, host: string | undefined): SessionTokens {
  const begins = `${nameAt(host)}=`;
  const [found, another] = (cookie ?? '').split(';').map((each) => each.trim())
    .filter((each) => each.startsWith(begins));
  if (found === undefined || another !== undefined) return new Map();
  return new Map(found.slice(begins.length).split('.').flatMap((part) => {
    const [, audience, token] = PART.exec(part) ?? [];
    return audience === undefined || token === undefined ? [] : [[audience, token]];
  }));
}

/** `Set-Cookie` of a session: no script reads it, and no other site sends it. */
export function sessionCookie(tokens: SessionTokens, host: string | undefined): string {
  const value = [...tokens].map(([audience, token]) => `${audience}:${token}`).join('.');
  return cookie(host, value, SESSION_SECONDS);
}

/** `Set-Cookie` that takes the cookie away. */
export function endedCookie(host: string | undefined): string {
  return cookie(host, '', 0);
}

function cookie(host: string | undefined, value: string, seconds: number): string {
  const secure = isLoopback(host) ? '' : '; Secure';
  return `${nameAt(host)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
