import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  locationsOf, locationsPath, nowSeconds, offend, together,
} from '../calls.ts';
import type { Offender, OffenderEnv } from '../offender.ts';

const NOTIFICATIONS = '/shipping/tracking/notifications';
const MIB = 1_048_576;
let numbers = 0;

/** A post of the first client of the guest. */
function post(env: OffenderEnv, body: string | Buffer, at: number, packed = false): Promise<void> {
  return offend(env, {
    path: locationsPath(env.guest.provider), token: env.guest.clients[0]?.token ?? '', body,
    headers: packed ? { 'content-encoding': 'gzip' } : {},
  }, at);
}

/** A list with one notification of the guest's carrier. */
function notificationOf(number: string, more: object): string {
  return JSON.stringify([{
    tracking_number: number, code: 'EX-HUB', carrier_code: 'H',
    payload: { date: new Date().toISOString() }, ...more,
  }]);
}

function notify(
  env: OffenderEnv, body: string | Buffer, at: number, packed = false,
): Promise<void> {
  return offend(env, {
    path: NOTIFICATIONS, token: env.guest.carrier.token, body,
    headers: packed ? { 'content-encoding': 'gzip' } : {},
  }, at);
}

const nextNumber = (): string => `GUEST-${process.pid}-${numbers += 1}`;
const unknownMembers = Object.fromEntries(
  Array.from({ length: 1_500 }, (_, nth) => [`unknown_${nth}`, 'x'.repeat(500)]),
);

/** Who has a token and sends bodies that cost much. */
export const BODIES: readonly Offender[] = [
  {
    name: 'gzip-bombs', isSmoke: true,
    does: 'sends bodies of 6 KB that unpack to 6 MB, with a good token',
    heldBy: 'limits of a body after decompression, its values, and the bytes of a client',
    run: (env) => {
      const bomb = gzipSync(`[${'{},'.repeat(2_000_000)}{}]`);
      return together(env, 8, (nth, at) => notify(env, bomb, nth + at, true));
    },
  },
  {
    name: 'deep-json', does: 'sends JSON that is nested a hundred thousand levels deep',
    heldBy: 'a body has a depth of 20 at most, found without recursion',
    mustGet: { answer: '400', times: 50 },
    run: (env) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      return together(env, 8, (nth, at) => post(env, deep, nth + at));
    },
  },
  {
    name: 'many-values', does: 'posts a good fix with half a million values beside it',
    heldBy: 'a body has 150,000 values at most, and large ones are read in steps',
    mustGet: { answer: '400', times: 5 },
    run: (env) => {
      // Good but for their number, so that only the limit of values refuses it.
      const good = locationsOf(env.guest.clients[0]?.deviceId ?? '', [nowSeconds()]);
      const many = `${good.slice(0, -1)},"values_of_ours":[${'0,'.repeat(500_000)}0]}`;
      return together(env, 8, (nth, at) => post(env, many, nth + at));
    },
  },
  {
    name: 'many-names', does: 'sends bodies whose members all have other names',
    heldBy: 'a body has 2,000 different names at most',
    mustGet: { answer: '400', times: 5 },
    run: (env) => together(env, 8, (nth, at) => post(env, JSON.stringify(Object.fromEntries(
      Array.from({ length: 40_000 }, (_, name) => [`n${at}_${nth}_${name}`, 1]),
    )), nth + at)),
  },
  {
    name: 'flood-of-unknown-members', does: 'notifies with 1,500 unknown members of 500 bytes each',
    heldBy: 'bytes of bodies are a limit of the client and of its user',
    run: (env) => together(env, 8, (nth, at) => (
      notify(env, notificationOf(nextNumber(), unknownMembers), nth + at)
    )),
  },
  {
    name: 'flood-of-bytes', does: 'notifies with bodies of some 6 MB that are packed to a few KB',
    heldBy: 'bytes after decompression are a limit of the client and of its user',
    run: (env) => {
      const large = 'x'.repeat(6 * MIB - 2_000);
      return together(env, 4, (nth, at) => notify(
        env, gzipSync(notificationOf(nextNumber(), { comment_of_ours: large.slice(nth % 9) })),
        nth + at, true,
      ));
    },
  },
  {
    name: 'oversized-records', does: 'notifies with bodies whose record, sealed, would not fit the log',
    heldBy: 'the size of a record is known before anything is appended (GEN-48)',
    mustGet: { answer: '400', times: 1 },
    run: (env) => {
      const exact = notificationOf('GUEST-SIZE', { comment_of_ours: 'x'.repeat(6 * MIB - 200) });
      return together(env, 4, (nth, at) => notify(env, exact, nth + at));
    },
  },
  {
    name: 'junk', does: 'sends random bytes as JSON, as gzip and as both',
    heldBy: 'what cannot be read is refused; a limit counts the bytes all the same',
    run: (env) => {
      const junk = randomBytes(MIB / 2);
      return together(env, 16, (nth, at) => post(
        env, nth % 3 === 0 ? gzipSync(junk) : junk, nth + at, nth % 3 !== 1,
      ));
    },
  },
  {
    name: 'wrong-everywhere', does: 'posts a thousand locations that are each wrong in every field',
    heldBy: 'explaining a body is cheap, and at most a few faults are listed',
    run: (env) => {
      const wrong = JSON.stringify({
        device_id: 7, post_timestamp: 'x',
        locations: Array.from({ length: 1_000 }, () => (
          { timestamp: 'x', country_id: 7, latitude: 'x', longitude: 900, metadata: 7 }
        )),
      });
      return together(env, 16, (nth, at) => post(env, wrong, nth + at));
    },
  },
  {
    name: 'late-fixes', isSmoke: true, does: 'posts 399 fixes over 399 days, again and again',
    heldBy: 'late fixes land in one partition (ADR 0050)',
    run: (env) => together(env, 4, (nth, at) => post(env, locationsOf(
      env.guest.clients[0]?.deviceId ?? '',
      Array.from({ length: 399 }, (_, day) => nowSeconds() - day * 86_400 - nth * 7 - at),
    ), nth + at)),
  },
  {
    name: 'random-clocks', does: 'posts fixes with times of 1970 to 9999',
    heldBy: 'a time that cannot be is an outlier, and no partition of its own',
    run: (env) => together(env, 8, (nth, at) => post(env, locationsOf(
      env.guest.clients[0]?.deviceId ?? '',
      Array.from({ length: 500 }, () => Math.floor(Math.random() * 253_402_300_799)),
    ), nth + at)),
  },
];
