import { fromCall, changeHeader, ON, bodyHas, changeBody, changeStatus, type Mistake } from './mistake.ts';

const CODES = [
  '0114', '0133', 'CBT-0133', 'CBT-0201', 'CBT-0215', 'CBT-0260', 'CBT-0265', 'CBT-0270',
  'CBT-0272', 'CBT-0283',
];
const ownNumbers = changeBody(
  ON.authorization, 200, () => ({ tracking_number: crypto.randomUUID() }),
);

/** A list that lost its first item. */
function listOf(body: Record<string, unknown>): unknown[] {
  return (body['notifications'] as unknown[]).slice(1);
}

/** Wrong ways to take notifications, to serve them, and to authorize shipments. */
export const SHIPMENT_MISTAKES: readonly Mistake[] = [
  ...CODES.flatMap((code): Mistake[] => [
    {
      check: `notification-code-${code.toLowerCase()}`, name: 'no field is mandatory',
      twist: changeStatus(ON.push, 400, 202), complaint: /without \/payload.*answered 202, not 400/,
    },
    {
      check: `notification-code-${code.toLowerCase()}`, name: 'the code is refused',
      twist: changeStatus(ON.push, 202, 400, bodyHas(`"code":"${code}"`)),
      complaint: /answered 400, not 202/,
    },
  ]),
  {
    check: 'push-accepted', name: 'an unknown code refused',
    twist: changeStatus(ON.push, 202, 400), complaint: /answered 400, not 202/,
  },
  {
    check: 'push-list', name: 'any number of notifications',
    twist: changeStatus(ON.push, 400, 202), complaint: /answered 202, not 400/,
  },
  {
    check: 'push-fields', name: 'notifications of any form',
    twist: changeStatus(ON.push, 400, 202), complaint: /without \/tracking_number.*answered 202/,
  },
  {
    check: 'push-dates', name: 'only Z', twist: changeStatus(ON.push, 202, 400, bodyHas('\\+03"')),
    complaint: /answered 400, not 202/,
  },
  {
    check: 'push-phones', name: 'phones of any form',
    twist: changeStatus(ON.push, 400, 202), complaint: /phone = .*answered 202/,
  },
  {
    check: 'push-optional', name: 'a place made mandatory',
    twist: changeStatus(ON.push, 202, 400, (asked) => !bodyHas('"location"')(asked)),
    complaint: /answered 400, not 202/,
  },
  {
    check: 'push-whole', name: 'the good ones taken',
    twist: changeStatus(ON.push, 400, 202), complaint: /answered 202, not 400/,
  },
  {
    check: 'push-repeated', name: 'a repeat refused',
    twist: fromCall(2, ON.push, changeStatus(ON.push, 202, 409)), complaint: /answered 409, not 202/,
  },
  {
    check: 'push-token', name: '403 without a token',
    twist: changeStatus(ON.push, 401, 403), complaint: /answered 403, not 401/,
  },
  {
    check: 'push-error-body', name: 'errors as plain JSON',
    twist: changeHeader(ON.push, 'content-type', 'application/json'), complaint: /content-type/,
  },
  {
    check: 'push-after-final', name: 'a status after the final one',
    twist: changeBody(ON.journey, 200, (body) => ({
      entries: (body['entries'] as object[]).map((each) => ({ ...each, outcome: 'applied' })),
    })),
    complaint: /later outcome is "applied"/,
  },
  {
    check: 'feed-page', name: 'the newest first', complaint: /the notifications is/,
    twist: changeBody(ON.feed, 200, (body) => ({
      notifications: (body['notifications'] as unknown[]).toReversed(),
    })),
  },
  {
    check: 'feed-pages', name: 'every page loses one', complaint: /the pages together is/,
    twist: changeBody(ON.feed, 200, (body, asked) =>
      asked.query['cursor'] === 'c1' ? { notifications: listOf(body) } : {}),
  },
  {
    check: 'feed-pages', name: 'no limit', complaint: /limit 1 has more than one/,
    twist: changeBody(ON.feed, 200, (body, asked) => asked.query['limit'] !== '1' ? {} : {
      notifications: [...body['notifications'] as unknown[], {}],
    }),
  },
  {
    check: 'feed-goes-on', name: 'an end that is final', complaint: /page after is \[\]/,
    twist: changeBody(ON.feed, 200, (_, asked) =>
      asked.query['cursor'] === undefined ? {} : { notifications: [] }),
  },
  {
    check: 'feed-token', name: '403 without a token',
    twist: changeStatus(ON.feed, 401, 403), complaint: /answered 403, not 401/,
  },
  {
    check: 'feed-unknown', name: 'an empty feed for any number',
    twist: changeStatus(ON.feed, 404, 200), complaint: /answered 200, not 404/,
  },
  {
    check: 'feed-cursor', name: 'any cursor',
    twist: changeStatus(ON.feed, 400, 200), complaint: /answered 200, not 400/,
  },
  {
    check: 'authorized', name: 'no custom_data', complaint: /no AuthorizationResponse/,
    twist: changeBody(ON.authorization, 200, () => ({ authorization_information: {} })),
  },
  {
    check: 'authorized-least', name: 'an id as a number',
    twist: changeBody(ON.authorization, 200, (body) => ({ id: Number(body['id']) })),
    complaint: /\/id of .* is \d+, not "/,
  },
  {
    check: 'authorized-least', name: 'one number for all',
    twist: changeBody(ON.authorization, 200, () => ({ tracking_number: 'RS1' })),
    complaint: /"RS1" both times/,
  },
  {
    check: 'authorized-again', name: 'a new number each time', twist: ownNumbers,
    complaint: /tracking_number of .* is "/,
  },
  {
    check: 'authorized-at-once', name: 'a new number each time', twist: ownNumbers,
    complaint: /number of tracking numbers is 5/,
  },
  {
    check: 'authorized-corrected', name: 'a refusal that sticks',
    twist: fromCall(2, ON.authorization, changeStatus(ON.authorization, 200, 400)),
    complaint: /answered 400, not 200/,
  },
  {
    check: 'authorized-test', name: 'test numbers like others', complaint: /\^TEST/,
    twist: changeBody(ON.authorization, 200, () => ({ tracking_number: 'RS1' })),
  },
  {
    check: 'authorized-in-time', name: 'two seconds for each', twist: { lateMs: 2_000 },
    complaint: /the average is 2\d\d\d ms/,
  },
  {
    check: 'authorization-long-texts', name: 'long texts refused',
    twist: changeStatus(ON.authorization, 200, 400, ({ bytes }) => bytes.length > 5_000),
    complaint: /answered 400, not 200/,
  },
  {
    check: 'authorization-failure-body', name: 'a member more',
    twist: changeBody(ON.authorization, 400, () => ({ detail: 'x' })),
    complaint: /no AuthorizationFailure/,
  },
  {
    check: 'authorization-sides', name: 'buyer and seller by name only', complaint: /error_code/,
    twist: changeBody(ON.authorization, 400, () => ({ error_code: 'invalid_user_information.buyer' })),
  },
  {
    check: 'authorization-media-type', name: '415',
    twist: changeStatus(ON.authorization, 400, 415), complaint: /answered 415, not 400/,
  },
  {
    check: 'authorization-token', name: 'no token asked for',
    twist: changeStatus(ON.authorization, 401, 200), complaint: /answered 200, not 400 or 401/,
  },
  {
    check: 'authorization-token-answers', name: '403 without a token',
    twist: changeStatus(ON.authorization, 401, 403), complaint: /answered 403, not 401/,
  },
  ...['ids', 'users', 'addresses', 'zip-codes', 'packages', 'schedules'].map((what): Mistake => ({
    check: `authorization-${what}`, name: 'requests of any form',
    twist: changeStatus(ON.authorization, 400, 200), complaint: /answered 200, not 400/,
  })),
  {
    check: 'authorization-zip-codes', name: 'a zip code everywhere',
    twist: changeStatus(ON.authorization, 200, 400, (asked) =>
      bodyHas('"EC"')(asked)), complaint: /answered 400, not 200/,
  },
  {
    check: 'authorization-optional', name: 'requirements made mandatory',
    twist: changeStatus(ON.authorization, 200, 400, (asked) => !bodyHas('"requirements"')(asked)),
    complaint: /"\/requirements": .*answered 400/,
  },
  {
    check: 'cancelled', name: 'a second cancellation refused',
    twist: fromCall(2, ON.cancellation, changeStatus(ON.cancellation, 200, 400)),
    complaint: /answered 400, not 200/,
  },
  {
    check: 'cancelled-epoch', name: 'a new number each time', twist: ownNumbers,
    complaint: /tracking_number of .* is "/,
  },
  {
    check: 'cancellation-fields', name: 'cancellations of any form',
    twist: changeStatus(ON.cancellation, 400, 200), complaint: /answered 200, not 400/,
  },
  {
    check: 'cancellation-unknown', name: '404 for an unknown shipment',
    twist: changeStatus(ON.cancellation, 400, 404), complaint: /answered 404, not 400/,
  },
  {
    check: 'cancellation-token', name: '403 without a token',
    twist: changeStatus(ON.cancellation, 401, 403), complaint: /answered 403, not 401/,
  },
];
