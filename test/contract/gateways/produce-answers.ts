import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { promises } from '../../support/documented-answers.ts';
import { meantBy } from '../../support/dry-runs.ts';
import { aParty, aTelemetryRequest, placedCommands } from '../../support/command-facts.ts';
import { anAsk, aTry } from '../../support/authorization-facts.ts';
import { recently } from './past-fleets.ts';
import { byItsName, deviceId, ofTransport } from './example-devices.ts';
import { examined, withOwnParty } from './examinations.ts';
import { audited, moved, strangeDevice } from './operator-calls.ts';
import { ofKnownCaller, ofNewCall, scored } from './own-calls.ts';
import { LAST_DAY, trackOf } from './tracks.ts';
import { aPlace } from '../../support/fake-platform-history.ts';
import { anOutcome } from '../../support/fake-item-outcomes.ts';
import { anOffer, aTraceableOffer } from '../../support/state-facts.ts';
import {
  CALLER, CALLER_SECRET, openWholeEdge, type WholeEdge, type WholeWishes,
} from '../../support/whole-edge.ts';

/** Makes the calls that lead to an answer, and gives the last one. */
export type Produce = (at: WholeEdge, id: string) => Promise<Response>;

const BASIC = {
  authorization: `Basic ${Buffer.from(`${CALLER}:${CALLER_SECRET}`).toString('base64')}`,
};
const NUMBER = 'RST0000000017';
const EXAMPLE_ID = '0198c0de-0000-7000-8000-000000000001';
const UNKNOWN = { params: { device_id: 'no-such-device' } };

const asShown: Produce = (at, id) => at.call(id);

/** Does an operation to the device of the examples, so many times, and gives the last answer. */
function toDevice(times: number): Produce {
  return async (at, id) => {
    const params = id.endsWith('-by-entity') ? {} : { device_id: await deviceId(at) };
    if (id.endsWith('-by-entity')) await deviceId(at);
    at.admit(id);
    for (let done = 1; done < times; done++) await (await at.call(id, { params })).text();
    return at.call(id, { params });
  };
}

const ofOwnShipment: Produce = async (at, id) => {
  await at.shipments.authorize(NUMBER, { carrier_client_id: CALLER, at_ms: 1 });
  return at.call(id);
};

const ofOwnCall: Produce = (at, id) => {
  at.itemOutcomes.add(CALLER, EXAMPLE_ID, anOutcome());
  return at.call(id);
};

const withParty: Produce = async (at, id) => {
  await at.commands.parties.apply(aParty());
  return at.call(id);
};

const withTransport: Produce = async (at, id) => {
  await ofTransport(at);
  return at.call(id);
};

const SUCCESS: Readonly<Record<string, Produce>> = {
  'cancel-shipment 200': async (at, id) => {
    at.admit('authorize-shipment');
    await at.call('authorize-shipment');
    return at.call(id);
  },
  'issue-token 200': (at, id) => at.call(id, { headers: BASIC }),
  'register-device 201': asShown,
  'register-device 208': async (at, id) => {
    await at.call(id);
    return at.call(id);
  },
  'send-deferred-events 202': async (at, id) => {
    await at.commands.commands.applyCommands(
      placedCommands([aTelemetryRequest('cmVxdWVzdC0x', 987_654)]),
    );
    return at.call(id);
  },
  'send-command 202': withParty,
  'show-command 200': async (at, id) => {
    at.admit('send-command');
    const { command_id } = await (await withParty(at, 'send-command')).json() as {
      command_id: string;
    };
    at.admit(id);
    return at.call(id, { params: { command_id } });
  },
  'pull-notifications 200': ofOwnShipment,
  'show-journey 200': ofOwnShipment,
  'show-shipment-authorization 200': ofOwnShipment,
  'show-ingest 200': ofOwnCall,
  'show-tracking-ingest 200': ofOwnCall,
  'list-ingests 200': ofNewCall, 'list-tracking-ingests 200': ofNewCall,
  'list-calls 200': ofKnownCaller, 'list-tracking-calls 200': ofKnownCaller,
  'list-authorization-calls 200': ofKnownCaller,
  'show-scores 200': scored,
  'list-examinations 200': examined, 'list-tracking-examinations 200': examined,
  'examine-party 202': withOwnParty, 'examine-tracking-party 202': withOwnParty,
  'show-limits 200': asShown,
  'show-tracking-limits 200': asShown,
  'show-device 200': toDevice(1),
  'list-entity-devices 200': byItsName, 'list-platform-entity-devices 200': byItsName,
  'list-transport-devices 200': withTransport, 'show-transport-fix 200': withTransport,
  'list-platform-fleet 200': async (at, id) => {
    await ofTransport(at);
    return at.call(id);
  },
  'show-platform-device 200': async (at, id) => (
    at.call(id, { params: { device_id: await ofTransport(at) } })
  ),
  'send-authorization 202': async (at, id) => {
    await withCarrier(at);
    return at.call(id);
  },
  'resend-authorization 202': async (at, id) => {
    await asked(at, { outcome: 'parked', reason: 'refused' });
    return at.call(id);
  },
  'cancel-authorization 200': async (at, id) => {
    await asked(at);
    return at.call(id);
  },
  'list-authorizations 200': async (at, id) => {
    await asked(at);
    return at.call(id);
  },
  'list-commands 200': async (at, id) => {
    await at.commands.commands.applyCommands(placedCommands([
      aTelemetryRequest('cmVxdWVzdC0x', 987_654, { at_ms: Date.parse('2025-11-24T12:00:00Z') }),
    ]));
    return at.call(id);
  },
  'show-authorization 200': async (at, id) => {
    await asked(at);
    return at.call(id);
  },
  'list-platform-shipments 200': async (at, id) => {
    await authorized(at);
    return at.call(id);
  },
  'show-platform-shipment 200': async (at, id) => {
    await authorized(at);
    return at.call(id);
  },
  'show-platform-journey 200': async (at, id) => {
    await authorized(at);
    return at.call(id);
  },
  'show-platform-place 200': async (at, id) => {
    await authorized(at);
    at.platformHistory.places.set(NUMBER, aPlace());
    return at.call(id);
  },
  'show-platform-ingest 200': ofOwnCall,
  'show-device-fix 200': async (at, id) => {
    const device_id = await deviceId(at);
    await at.states.lastFixes.offer([anOffer({ client_id: CALLER, device_id, speed: 61.5 })]);
    at.admit(id);
    return at.call(id, { params: { device_id } });
  },
  'show-traceable-fix 200': async (at, id) => {
    await at.states.traceables.offer([
      aTraceableOffer({ client_id: CALLER, traceable_id: '40000000001' }),
    ]);
    return at.call(id);
  },
  'show-device-track 200': async (at, id) => {
    const device = await deviceId(at);
    at.admit(id);
    return trackOf(at, id, device);
  },
  'show-platform-track 200': async (at, id) => trackOf(at, id, await ofTransport(at)),
  'list-past-fleet 200': recently, 'list-platform-past-fleet 200': recently,
  'list-audits 200': audited, 'list-overflow 200': moved, 'decide-overflow 200': moved,
  'list-fleet-fixes 200': async (at, id) => {
    await at.states.lastFixes.offer([anOffer({ client_id: CALLER })]);
    return at.call(id);
  },
};

/** The carrier of the examples, active. */
async function withCarrier(at: WholeEdge): Promise<void> {
  await at.commands.parties.apply(aParty({ party_id: 'p-1f2e3d4c5b6a', kind: 'carrier' }));
}

/** The authorization of the examples, with a try if there was one. */
async function asked(at: WholeEdge, tried?: Parameters<typeof aTry>[2]): Promise<void> {
  const fact = anAsk(EXAMPLE_ID, {
    carrier: 'p-1f2e3d4c5b6a',
    transport_order_id: 'to-41234567890-1', shipment_id: '41234567890',
  });
  const calls = tried === undefined ? [fact] : [fact, aTry(fact, 1, tried)];
  await at.commands.authorizationCalls.apply(calls);
}

/** The shipment of the examples, authorized. */
async function authorized(at: WholeEdge): Promise<void> {
  await at.shipments.authorize(NUMBER, { platform_client_id: CALLER, at_ms: 1 });
  await at.shipments.shipmentIndex.add([{
    tracking_number: NUMBER, platform_client_id: CALLER, transport_order_id: 'to-41234567890-1',
    shipment_id: '41234567890', epoch: 1, at_ms: 1,
  }]);
}

const ofNoDevice: Produce = (at, id) => at.call(id, { params: LAST_DAY });

const OTHERS: Readonly<Record<string, Produce>> = {
  'issue-token 401': (at, id) => at.call(id),
  'issue-token 429': async (at, id) => {
    await at.call(id, { headers: BASIC });
    return at.call(id, { headers: BASIC });
  },
  'issue-token 500': (at, id) => {
    at.states.failWith('state_unavailable');
    return at.call(id, { headers: BASIC });
  },
  'start-device-tracking 404': (at, id) => at.call(id, UNKNOWN),
  'stop-device-tracking 404': (at, id) => at.call(id, UNKNOWN),
  'start-device-tracking-by-entity 404': (at, id) =>
    at.call(id, { params: { external_entity_id: null, external_entity_type: null } }),
  'stop-device-tracking-by-entity 404': asShown,
  'send-command 404': asShown,
  'examine-party 404': asShown, 'examine-tracking-party 404': asShown,
  'show-command 404': asShown,
  'pull-notifications 404': asShown, 'show-journey 404': asShown,
  'show-shipment-authorization 404': asShown,
  'show-ingest 404': asShown,
  'show-tracking-ingest 404': asShown,
  'show-problem 404': (at, id) => at.call(id, { params: { code: 'none' } }),
  'show-transport-fix 404': asShown,
  'send-authorization 404': asShown,
  'resend-authorization 404': asShown,
  'cancel-authorization 404': asShown, 'show-authorization 404': asShown,
  'show-platform-device 404': asShown, 'show-platform-shipment 404': asShown,
  'show-platform-journey 404': asShown, 'show-platform-place 404': asShown,
  'show-platform-ingest 404': asShown,
  'show-device 404': asShown, 'decide-overflow 404': strangeDevice,
  'show-device-track 404': ofNoDevice, 'show-platform-track 404': ofNoDevice,
  'show-device-fix 404': asShown,
  'show-traceable-fix 404': asShown,
};

/** The calls that produce a documented answer; undefined where none are written. */
export function produceAnswer(id: string, status: number): Produce | undefined {
  const [tried, wanted] = meantBy(id, status);
  return SUCCESS[`${tried} ${wanted}`] ?? OTHERS[`${tried} ${wanted}`] ?? usual(tried, wanted);
}

/** What leads to a status at every operation alike. */
function usual(id: string, status: number): Produce | undefined {
  const { authentication, request } = OPERATIONS[id as keyof typeof OPERATIONS];
  const isBearer = authentication === 'bearer';
  const isMove = /^(start|stop)-device/.test(id);
  if (isMove && (status === 200 || status === 208)) return toDevice(status === 200 ? 1 : 2);
  switch (status) {
    case 200: case 202: return asShown;
    case 400: return (at) => at.call(id, broken(request?.content_type));
    case 401: return isBearer ? withoutToken : undefined;
    case 403: return promises(id, 401) ? forAnotherAudience : withoutToken;
    case 429: return isBearer ? aboveTheLimit : undefined;
    case 500: return isBearer ? withoutStore : stalled;
    default: return undefined;
  }
}

function broken(contentType: string | undefined): WholeWishes {
  if (contentType === undefined) return { more: '&twice=1&twice=2' };
  return contentType === 'application/json' ? { body: '{"half":' } : { body: 'nothing=1' };
}

const withoutToken: Produce = (at, id) => at.call(id, { headers: { authorization: null } });

const forAnotherAudience: Produce = (at, id) => {
  at.admit('send-locations');
  return at.call(id);
};

const aboveTheLimit: Produce = (at, id) => {
  at.admit(id, {
    quota: { of: 'client', allowed: false, limit: 400, remaining: 0, resetSeconds: 2 },
  });
  return at.call(id);
};

const withoutStore: Produce = (at, id) => {
  at.loseStore();
  return at.call(id);
};

/** A process that stalls until the deadline of a call begins nothing any more. */
const stalled: Produce = async (_at, id) => {
  const late = await openWholeEdge({ http: { requestDeadlineMs: 0 } });
  try {
    const response = await late.call(id);
    return new Response(await response.text(), response);
  } finally {
    await late.close();
  }
};
