import { describe, expect, it } from 'vitest';
import { mountOperations } from '../../../services/adapters/http/mount-operations.ts';
import { defineOperation } from '../../../services/gateways/common/catalog.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { DeviceStates } from '../../../services/kernel/devices.ts';
import type { Answer, Operation } from '../../../services/kernel/http.ts';
import type { ShipmentId, TrackingNumber } from '../../../services/kernel/ids.ts';

const DONE: Answer = { kind: 'answer', status: 200, body: {} };
const errors = problemErrors;

// The compiler is the test: each line below an expected error must not compile. The gate "types"
// fails when one of them does.
const mustNotCompile = {
  mountedWithoutAuthentication: () => mountOperations([
    // @ts-expect-error an operation says how its caller is authenticated
    {
      id: 'open', method: 'GET', path: '/open', bodyKind: 'none', bodyBytesMax: 0,
      needsCountry: false, errors, handle: async () => DONE,
    },
  ], {} as Parameters<typeof mountOperations>[1], {} as Parameters<typeof mountOperations>[2]),

  // @ts-expect-error a token is for an audience and a scope
  tokenForNothing: (): Operation => ({
    id: 'x', method: 'GET', path: '/x', authentication: 'bearer', bodyKind: 'none',
    bodyBytesMax: 0, needsCountry: false, errors, handle: async () => DONE,
  }),

  callerWithoutToken: () => defineOperation('issue-token', {
    errors,
    // @ts-expect-error no caller has been authenticated
    handle: async ({ caller }) => ({ ...DONE, body: caller.clientId }),
  }),

  parameterOfAnotherPath: () => defineOperation('show-device', {
    errors,
    // @ts-expect-error the path has no such parameter
    handle: async ({ params }) => ({ ...DONE, body: params.provider }),
  }),

  bodyOfAnotherSchema: () => defineOperation('send-telemetry-events', {
    errors,
    // @ts-expect-error the schema has no such field
    handle: async ({ body }) => ({ ...DONE, body: body.locations }),
  }),

  bodyOfNone: () => defineOperation('show-device', {
    errors,
    // @ts-expect-error the operation takes no body
    handle: async ({ body }) => ({ ...DONE, body: body.device_id }),
  }),

  deviceAsClient: (states: DeviceStates) => defineOperation('show-device', {
    errors,
    async handle({ caller, params }) {
      // @ts-expect-error ids of other kinds: client and device have changed places
      await states.load(params.device_id, caller.clientId);
      return DONE;
    },
  }),

  shipmentAsTrackingNumber: (shipment: ShipmentId): TrackingNumber => (
    // @ts-expect-error an id of another kind
    shipment
  ),

  countryWhereNoneIsAsked: () => defineOperation('pull-notifications', {
    errors,
    // @ts-expect-error the query need not name a country
    handle: async ({ query }) => ({ ...DONE, body: query.country_id.trim() }),
  }),
};

const compiles = {
  all: () => defineOperation('send-command', {
    errors,
    handle: async ({ caller, params, query, body }) => ({
      ...DONE,
      body: [caller.clientId, params.provider, query.country_id, body.command],
    }),
  }),
};

describe('the types of an operation', () => {
  it('are checked by the compiler, and each of them is made of its row of the catalogue', () => {
    expect(Object.keys(mustNotCompile).length).toBe(9);
    expect(compiles.all()).toMatchObject({ id: 'send-command', authentication: 'bearer' });
  });
});
