import { fromCall, changeHeader, ON, changeRequestBody, bodyHas, changeBody, changeStatus, type Mistake } from './mistake.ts';
import type { ReceivedRequest } from './receiver.ts';

const longList = (asked: ReceivedRequest): boolean => asked.bytes.length > 40_000;
const isInside = (asked: ReceivedRequest): boolean => {
  const body = JSON.parse(asked.bytes.toString()) as { locations?: { device?: unknown }[] };
  return body.locations?.[0]?.device !== undefined;
};
const refused = /answered 202, not 400/;

/** Wrong ways to take locations, events, deferred events and deliveries. */
export const DATA_MISTAKES: readonly Mistake[] = [
  {
    check: 'locations-accepted', name: '200 instead of 202',
    twist: changeStatus(ON.locations, 202, 200), complaint: /answered 200, not 202/,
  },
  {
    check: 'locations-accepted', name: 'no Ingest-Id',
    twist: changeHeader(ON.locations, 'ingest-id'), complaint: /ingest-id missing/,
  },
  {
    check: 'locations-least', name: 'telemetry made mandatory',
    twist: changeStatus(ON.locations, 202, 400, (asked) => !bodyHas('telemetry')(asked)),
    complaint: /answered 400, not 202/,
  },
  {
    check: 'locations-fields', name: 'locations of any form',
    twist: changeStatus(ON.locations, 400, 202), complaint: /without \/device_id.*answered 202/,
  },
  {
    check: 'locations-pairs', name: '21 pairs',
    twist: changeStatus(ON.locations, 400, 202), complaint: refused,
  },
  {
    check: 'locations-pairs', name: 'only 19 pairs',
    twist: changeStatus(ON.locations, 202, 400, bodyHas('"n19"')), complaint: /answered 400, not 202/,
  },
  {
    check: 'locations-many', name: 'no limit', complaint: refused,
    twist: changeStatus(ON.locations, 400, 202),
  },
  {
    check: 'locations-many', name: 'a smaller limit', complaint: /answered 400, not 202/,
    twist: changeStatus(ON.locations, 202, 400, longList),
  },
  {
    check: 'locations-whole', name: 'half of a body', complaint: refused,
    twist: changeStatus(ON.locations, 400, 202),
  },
  {
    check: 'locations-whole', name: 'no place of the fault',
    twist: changeBody(ON.locations, 400, () => ({ errors: [] })), complaint: /pointer.*missing/,
  },
  {
    check: 'locations-odd', name: 'doubtful values refused',
    twist: changeStatus(ON.locations, 202, 400, bodyHas('"fuel_level":130')),
    complaint: /answered 400, not 202/,
  },
  {
    check: 'locations-repeated', name: 'a repeat refused',
    twist: fromCall(2, ON.locations, changeStatus(ON.locations, 202, 409)),
    complaint: /answered 409, not 202/,
  },
  {
    check: 'locations-unstarted', name: 'locations before start',
    twist: changeStatus(ON.locations, 403, 202), complaint: /answered 202, not 403/,
  },
  {
    check: 'locations-stopped', name: 'locations after stop',
    twist: changeStatus(ON.locations, 403, 202), complaint: /answered 202, not 400 or 403/,
  },
  {
    check: 'locations-stranger', name: '404 for an unknown device',
    twist: changeStatus(ON.locations, 403, 404), complaint: /answered 404, not 403/,
  },
  {
    check: 'locations-codes', name: 'one code for all',
    twist: changeBody(ON.locations, 403, () => ({ code: 'forbidden' })),
    complaint: /code after stop is "forbidden"/,
  },
  {
    check: 'events-accepted', name: '202 in the body',
    twist: changeBody(ON.events, 202, () => ({ status: 202 })), complaint: /status.*is 202, not 200/,
  },
  {
    check: 'events-names', name: 'five names',
    twist: changeStatus(ON.events, 202, 400, bodyHas('speeding_ops')), complaint: /answered 400, not 202/,
  },
  {
    check: 'events-fields', name: 'events of any form',
    twist: changeStatus(ON.events, 400, 202), complaint: /took_a_nap.*answered 202/,
  },
  {
    check: 'events-external-id', name: 'numbers refused',
    twist: changeStatus(ON.events, 202, 400, bodyHas('"external_id":17')),
    complaint: /answered 400, not 202/,
  },
  {
    check: 'events-pairs', name: 'the limit of locations',
    twist: changeStatus(ON.events, 202, 400, bodyHas('"n20"')), complaint: /answered 400, not 202/,
  },
  {
    check: 'events-many', name: 'no limit', complaint: refused,
    twist: changeStatus(ON.events, 400, 202),
  },
  {
    check: 'events-not-tracking', name: 'events of any device',
    twist: changeStatus(ON.events, 403, 202), complaint: /answered 202, not 403/,
  },
  {
    check: 'deferred-accepted', name: '200 over HTTP',
    twist: changeStatus(ON.deferred, 202, 200), complaint: /answered 200, not 202/,
  },
  {
    check: 'deferred-repeated', name: 'one answer only',
    twist: fromCall(2, ON.deferred, changeStatus(ON.deferred, 202, 409)),
    complaint: /answered 409, not 202/,
  },
  {
    check: 'deferred-fields', name: 'answers of any form',
    twist: changeStatus(ON.deferred, 400, 202), complaint: /without \/route_distance.*answered 202/,
  },
  {
    check: 'deferred-many', name: 'no limit', complaint: refused,
    twist: changeStatus(ON.deferred, 400, 202),
  },
  {
    check: 'deferred-other-transport', name: 'any transport', complaint: refused,
    twist: changeStatus(ON.deferred, 400, 202),
  },
  {
    check: 'deferred-unasked', name: 'answers to nothing', complaint: refused,
    twist: changeStatus(ON.deferred, 400, 202),
  },
  {
    check: 'deliveries-accepted', name: 'another message',
    twist: changeBody(ON.deliveries, 202, () => ({ message: 'ok' })), complaint: /message.*"ok"/,
  },
  {
    check: 'deliveries-fields', name: 'deliveries of any form',
    twist: changeStatus(ON.deliveries, 400, 202), complaint: /without \/traceables.*answered 202/,
  },
  {
    check: 'deliveries-inside', name: 'only the top level',
    twist: changeStatus(ON.deliveries, 202, 400, isInside),
    complaint: /answered 400, not 202/,
  },
  {
    check: 'deliveries-contradiction', name: 'the top level wins silently',
    twist: changeStatus(ON.deliveries, 400, 202), complaint: refused,
  },
  {
    check: 'deliveries-pairs', name: '21 pairs', complaint: refused,
    twist: changeStatus(ON.deliveries, 400, 202),
  },
  {
    check: 'deliveries-many', name: 'the rest is thrown away', complaint: refused,
    twist: changeRequestBody(ON.deliveries, (body) => ({
      ...body, locations: (body['locations'] as unknown[]).slice(0, 1_000),
    })),
  },
];
