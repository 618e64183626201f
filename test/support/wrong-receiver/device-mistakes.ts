import { fromCall, changeHeader, ON, changeRequestBody, changeRequest, changeBody, changeStatus, type Mistake } from './mistake.ts';

/** Wrong ways to register, start and stop devices, and to answer RTT calls at all. */
export const DEVICE_MISTAKES: readonly Mistake[] = [
  {
    check: 'device-registered', name: 'ACTIVE in upper case',
    twist: changeBody(ON.register, 201, () => ({ status: 'ACTIVE' })), complaint: /status.*"ACTIVE"/,
  },
  {
    check: 'device-registered', name: 'a transport id as text',
    twist: changeBody(ON.register, 201, () => ({ transport: { id: '1' } })), complaint: /transport\/id/,
  },
  {
    check: 'device-fields', name: 'registrations of anything',
    twist: changeStatus(ON.register, 400, 201), complaint: /without \/external_entity.*answered 201/,
  },
  {
    check: 'device-fields', name: 'device_specs made mandatory',
    twist: {
      changeAnswer: (answer, asked) => answer.status === 201 && !asked.bytes.includes('device_specs')
        ? { ...answer, status: 400 } : answer,
    },
    complaint: /answered 400, not 201/,
  },
  {
    check: 'device-known', name: '201 for a known device',
    twist: changeStatus(ON.register, 208, 201), complaint: /answered 201, not 208/,
  },
  {
    check: 'device-known', name: 'a known device that takes what comes',
    twist: changeBody(ON.register, 208, () => ({ transport: { id: 7 } })), complaint: /the device is/,
  },
  {
    check: 'device-registered-at-once', name: 'a device per caller',
    twist: changeBody(ON.register, 208, () => ({ id: crypto.randomUUID() })),
    complaint: /number of devices is 4/,
  },
  {
    check: 'device-started', name: '200 for every start',
    twist: changeStatus(ON.start, 208, 200), complaint: /answered 200, not 208/,
  },
  {
    check: 'device-started', name: 'a start that answers another device',
    twist: changeBody(ON.start, 200, () => ({ id: 'other' })), complaint: /\/id of .*"other"/,
  },
  {
    check: 'device-started-at-once', name: 'two winners',
    twist: changeStatus(ON.start, 208, 200), complaint: /the status codes is \[200,200/,
  },
  {
    check: 'device-stopped', name: 'active after stop',
    twist: changeBody(ON.stop, 200, () => ({ status: 'active' })), complaint: /status.*"active"/,
  },
  {
    check: 'device-stopped', name: '404 for the second stop',
    twist: changeStatus(ON.stop, 208, 404), complaint: /answered 404, not 208/,
  },
  {
    check: 'device-stopped-unstarted', name: '404 for a stop before start',
    twist: changeStatus(ON.stop, 200, 404), complaint: /answered 404, not 200/,
  },
  {
    check: 'device-start-after-stop', name: 'start after stop',
    twist: changeStatus(ON.start, 404, 200), complaint: /answered 200, not 404/,
  },
  {
    check: 'device-again-after-stop', name: '208 for a stopped device',
    twist: fromCall(2, ON.register, changeStatus(ON.register, 201, 208)),
    complaint: /answered 208, not 201/,
  },
  {
    check: 'device-again-after-stop', name: 'the old id again',
    twist: changeBody(ON.register, 201, () => ({ id: 'same' })), complaint: /answered 404, not 200/,
  },
  {
    check: 'device-unknown', name: '403 for an unknown device',
    twist: changeStatus(ON.start, 404, 403), complaint: /answered 403, not 404/,
  },
  {
    check: 'entity-started', name: 'another device of the entity',
    twist: changeBody(ON.startEntity, 200, () => ({ id: 'older' })), complaint: /\/id of .*"older"/,
  },
  {
    check: 'entity-stopped', name: '404 for the second stop of an entity',
    twist: changeStatus(ON.stopEntity, 208, 404), complaint: /answered 404, not 208/,
  },
  {
    check: 'entity-unknown', name: '200 for any entity',
    twist: changeStatus(ON.startEntity, 404, 200), complaint: /answered 200, not 404/,
  },
  {
    check: 'entity-query', name: 'a start without an entity',
    twist: changeStatus(ON.startEntity, 400, 200), complaint: /answered 200, not 400 or 404/,
  },
  {
    check: 'rtt-country', name: 'a country that is guessed',
    twist: changeRequest(ON.rtt, ({ query }) => ({ query: { country_id: 'UY', ...query } })),
    complaint: /answered 20\d, not 400/,
  },
  {
    check: 'rtt-country', name: 'any two characters for a country',
    twist: changeRequest(ON.rtt, ({ query }) => query['country_id'] === 'QQ'
      ? { query: { ...query, country_id: 'UY' } } : {}),
    complaint: /answered 20\d, not 400/,
  },
  {
    check: 'rtt-country-first', name: '400 after the start was made',
    twist: {
      ...changeRequest(ON.start, ({ query }) => ({ query: { country_id: 'UY', ...query } })),
      changeAnswer: (answer, asked) =>
        /devices\/.*start/.test(asked.path) && asked.query['country_id'] === undefined
          ? { ...answer, status: 400 } : answer,
    },
    complaint: /start_tracking answered 208, not 200/,
  },
  {
    check: 'rtt-token', name: '401 without a token',
    twist: changeStatus(ON.rtt, 403, 401), complaint: /answered 401, not 403/,
  },
  {
    check: 'rtt-token', name: 'no challenge',
    twist: changeHeader(ON.rtt, 'www-authenticate'), complaint: /www-authenticate missing/,
  },
  {
    check: 'rtt-audience', name: '404 for another audience',
    twist: changeStatus(ON.deferred, 403, 404), complaint: /deferred answered 404, not 403/,
  },
  {
    check: 'rtt-client-id', name: 'any client id',
    twist: changeRequest(ON.register, ({ headers }) => {
      const { 'x-client-id': _, ...rest } = headers;
      return { headers: rest };
    }),
    complaint: /answered 201, not 403/,
  },
  {
    check: 'rtt-provider', name: '404 for another provider',
    twist: changeStatus(ON.data, 403, 404), complaint: /answered 404, not 403/,
  },
  {
    check: 'rtt-error-body', name: 'a message unlike the detail',
    twist: changeBody(ON.register, 400, () => ({ message: 'x' })), complaint: /message.*"x"/,
  },
  {
    check: 'rtt-error-body', name: 'errors as plain JSON',
    twist: changeHeader(ON.rtt, 'content-type', 'application/json'), complaint: /content-type/,
  },
  {
    check: 'body-json', name: 'the first of two values, and m',
    twist: changeRequestBody(ON.locations, ({ m: _, ...body }) => body), complaint: /"m":.*answered 202/,
  },
  {
    check: 'body-json', name: '500 for no JSON',
    twist: changeStatus(ON.locations, 400, 500), complaint: /answered 500, not 400/,
  },
  {
    check: 'body-media-type', name: '415',
    twist: changeStatus(ON.locations, 400, 415), complaint: /answered 415, not 400/,
  },
  {
    check: 'body-size', name: '413',
    twist: changeStatus(ON.locations, 400, 413), complaint: /answered 413, not 400/,
  },
  {
    check: 'body-size', name: 'less than a mebibyte',
    twist: {
      changeAnswer: (answer, { bytes }) => (
        bytes.length > 1_000_000 ? { ...answer, status: 400 } : answer
      ),
    },
    complaint: /answered 400, not 202/,
  },
  {
    check: 'body-depth', name: 'any depth',
    twist: changeStatus(ON.locations, 400, 202), complaint: /answered 202, not 400/,
  },
  {
    check: 'body-gzip', name: 'no gzip',
    twist: changeStatus(ON.locations, 202, 400), complaint: /answered 400, not 202/,
  },
  {
    check: 'body-gzip', name: '500 for a broken gzip',
    twist: changeStatus(ON.locations, 400, 500), complaint: /answered 500, not 400/,
  },
];
