import { gzipSync } from 'node:zlib';
import { basic } from '../../support/platform-calls.ts';
import { inventedToken, locationsPath, offend, together } from '../calls.ts';
import type { Offender } from '../offender.ts';

const BOMB = gzipSync('[],'.repeat(2_000_000));
const LARGE = JSON.stringify({ a: Array.from({ length: 60_000 }, (_, nth) => ({ nth })) });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TOKEN_BODY = JSON.stringify({ audience: 'rtt', grant_type: 'client_credentials' });
const NOTIFICATIONS = '/shipping/tracking/notifications';

/** Who has no token, or none that is good. */
export const STRANGERS: readonly Offender[] = [
  {
    name: 'invented-token-with-bomb', isSmoke: true,
    does: 'invents tokens and sends 6 KB of gzip that unpack to 6 MB with each',
    heldBy: 'the head of a call is authorized before its body is read (ADR 0048)',
    mustGet: { answer: '429', times: 50 },
    run: (env) => together(env, 8, (nth, at) => offend(env, {
      path: NOTIFICATIONS, token: inventedToken(), body: BOMB,
      headers: { 'content-encoding': 'gzip' },
    }, nth + at)),
  },
  {
    name: 'invented-token-with-large-body',
    does: 'invents tokens and sends a megabyte of JSON with each',
    heldBy: 'the head of a call is authorized before its body is read (ADR 0048)',
    mustGet: { answer: '429', times: 50 },
    run: (env) => together(env, 8, (nth, at) => offend(env, {
      path: locationsPath('acme'), token: inventedToken(), body: LARGE,
    }, nth + at)),
  },
  {
    name: 'flood-of-bad-tokens', isSmoke: true,
    does: 'calls with invented tokens as fast as it can',
    heldBy: 'bad tokens wait by address, a good one waits once, and one that was let in never',
    mustGet: { answer: '429', times: 100 },
    run: (env) => together(env, 32, (nth, at) => offend(env, {
      path: '/shipping/rtt/limits?country_id=BR', method: 'GET', token: inventedToken(),
    }, nth + at)),
  },
  {
    name: 'no-token', does: 'posts bodies without any token',
    heldBy: 'a call without a token is refused before its body',
    mustGet: { answer: '403', times: 100 },
    run: (env) => together(env, 16, (nth, at) => offend(env, {
      path: locationsPath('acme'), body: LARGE,
    }, nth + at)),
  },
  {
    name: 'flood-of-token-requests',
    does: 'asks for tokens as a client that does not exist, with another id each time',
    heldBy: 'limit of token requests by address',
    mustGet: { answer: '429', times: 100 },
    run: (env) => together(env, 16, (nth, at) => offend(env, {
      path: '/oauth/token', body: TOKEN_BODY,
      headers: { authorization: basic(`9${at}${nth}`.padEnd(15, '0'), 'guess') },
    }, nth + at)),
  },
  {
    name: 'wrong-secrets', does: 'guesses the secret of one client',
    heldBy: 'a wait that doubles after wrong secrets, by client and address',
    mustGet: { answer: '429', times: 100 },
    run: (env) => together(env, 8, (nth, at) => offend(env, {
      path: '/oauth/token', body: TOKEN_BODY,
      headers: { authorization: basic(env.guest.clients[0]?.clientId ?? '', `guess${nth}`) },
    }, nth + at)),
  },
  {
    name: 'flood-of-revocations', does: 'revokes tokens that it invents',
    heldBy: 'revoking needs a token; bad tokens wait by address',
    mustGet: { answer: '429', times: 100 },
    run: (env) => together(env, 16, (nth, at) => offend(env, {
      path: '/oauth/revoke', token: inventedToken(), headers: FORM,
      body: `token=${inventedToken()}`,
    }, nth + at)),
  },
  {
    name: 'unknown-paths', does: 'calls paths that do not exist, another one each time',
    heldBy: 'a path without an operation is refused unread, and kept in no cache',
    run: (env) => together(env, 16, (nth, at) => offend(env, {
      path: `/${at}/${nth}/${'x'.repeat(500)}`, body: '{}',
    }, nth + at)),
  },
];
