import { isoOf } from '../bodies.ts';
import { ours, verify, type Check } from '../check.ts';
import { header, member, status } from '../findings.ts';
import { refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import type { Ask, KitReply } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 5, the commands that a provider takes. */
export const commandChecks: readonly Check[] = [
  {
    id: 'command-tracking', rows: ['CMD-01', 'CMD-02', 'CMD-10'], role: 'provider',
    title: 'start_tracking and stop_tracking get 200 and success, also when repeated',
    level: 'must',
    run: async (session) => {
      const transport = aTransport(session);
      const replies: KitReply[] = [];
      for (const command of ['start_tracking', 'start_tracking', 'stop_tracking', 'stop_tracking']) {
        replies.push(await session.send(await commandAsk(session, { command, transport })));
      }
      return verify(...replies.flatMap((reply) => success(session, reply)));
    },
  },
  {
    id: 'command-stop-first', rows: ['CMD-10'], role: 'provider',
    title: 'stop_tracking of a transport that was never started gets 200',
    level: 'should',
    remark: 'Answer 200: a stop may come twice, and before its start.',
    run: async (session) => {
      const stop = { command: 'stop_tracking', transport: aTransport(session) };
      return verify(...success(session, await session.send(await commandAsk(session, stop))));
    },
  },
  {
    id: 'command-routes', rows: ['CMD-01', 'CMD-02', 'CMD-18'], role: 'provider',
    title: 'check_planned_routes and cancel_planned_routes take the same routes: 200',
    level: 'must',
    run: async (session) => {
      const planned_routes = [aRoute(session)];
      const send = async (command: string) =>
        session.send(await commandAsk(session, { command, planned_routes }));
      return verify(
        ...success(session, await send('check_planned_routes')),
        ...success(session, await send('cancel_planned_routes')),
      );
    },
  },
  {
    id: 'command-events', rows: ['CMD-01', 'CMD-02', 'CMD-21'], role: 'provider',
    title: 'process_telemetry_events gets 200, also when repeated',
    level: 'must',
    run: async (session) => {
      const ask = await commandAsk(session, processBody(session));
      return verify(
        ...success(session, await session.send(ask)),
        ours(REMARKS.repeats, success(session, await session.send(ask))),
      );
    },
  },
  {
    id: 'command-name', rows: ['CMD-03'], role: 'provider',
    title: 'A missing or unknown command, or the body of another one, gets 400',
    level: 'must',
    run: async (session) => {
      const start = { command: 'start_tracking', transport: aTransport(session) };
      return verify(
        await refuses(session, await commandAsk(session, start), [
          '/command', ['/command', 'dance'], ['/command', 'check_planned_routes'],
          ['/command', 'process_telemetry_events'],
        ]),
        status(await session.send({ ...await commandAsk(session, {}), body: '{' }), 400),
      );
    },
  },
  {
    id: 'command-transport', rows: ['CMD-07'], role: 'provider',
    title: 'start and stop without id, license_plate or country_id of the transport get 400',
    level: 'must',
    run: async (session) => {
      const flaws = [
        '/transport', '/transport/id', '/transport/license_plate', '/transport/country_id',
        ['/transport/id', 'van-17'],
      ] as const;
      const transport = aTransport(session);
      const ask = (command: string) => commandAsk(session, { command, transport });
      return verify(
        await refuses(session, await ask('start_tracking'), flaws),
        await refuses(session, await ask('stop_tracking'), flaws),
      );
    },
  },
  {
    id: 'command-route-fields', role: 'provider',
    rows: ['CMD-12', 'CMD-13', 'CMD-14', 'CMD-15', 'CMD-16', 'CMD-17'],
    title: 'Planned routes without one of their mandatory fields get 400',
    level: 'must',
    run: async (session) => {
      const body = { command: 'check_planned_routes', planned_routes: [aRoute(session)] };
      const paths = ROUTE_FIELDS.map((field) => `/planned_routes/0/${field}`);
      return verify(await refuses(session, await commandAsk(session, body), [
        '/planned_routes', ...paths,
        ['/planned_routes/0/route_id', 'x'], ['/planned_routes/0/estimated_end_date', 'later'],
      ]));
    },
  },
  {
    id: 'command-event-fields', rows: ['CMD-19', 'CMD-20'], role: 'provider',
    title: 'process_telemetry_events without a mandatory field, or with an id not Base64, gets 400',
    level: 'must',
    run: async (session) => verify(
      await refuses(session, await commandAsk(session, processBody(session)), [
        '/id', '/transport', '/transport/id', '/transport/license_plate', '/transport/country_id',
        '/travel', '/travel/init_date', '/travel/end_date', ['/id', 'not base64!'],
        ['/travel/init_date', 'monday'],
      ]),
    ),
  },
  {
    id: 'command-token', rows: ['CMD-04'], role: 'provider',
    title: 'A command without a good token gets 403 and WWW-Authenticate',
    level: 'must',
    run: async (session) => {
      const body = { command: 'stop_tracking', transport: aTransport(session) };
      const ask = await commandAsk(session, body);
      const replies = [
        await session.send({ ...ask, token: null }),
        await session.send({ ...ask, token: 'no-such-token' }),
      ];
      return verify(...replies.flatMap((reply) => [
        status(reply, 403),
        ours(REMARKS.challenge,
          header(reply, 'www-authenticate', /^Bearer\b.*error="invalid_token"/)),
      ]));
    },
  },
  {
    id: 'command-error-body', rows: ['GEN-08', 'GEN-09'], role: 'provider',
    title: 'Errors of commands are problem details',
    level: 'should',
    remark: REMARKS.problem,
    run: async (session) => {
      const reply = await session.send(await commandAsk(session, {}));
      return verify(
        status(reply, 400), header(reply, 'content-type', /^application\/problem\+json\b/),
        session.shape(reply, 'ProblemDetails'),
      );
    },
  },
];

const ADDRESS = 'stops/0/facility/address';
const ROUTE_FIELDS = [
  'route_id', 'rostering_id', 'estimated_start_date', 'estimated_end_date',
  'estimated_start_monitoring_date', 'estimated_end_monitoring_date', 'country_id', 'carrier',
  'carrier/id', 'carrier/name', 'vehicles', 'vehicles/0/is_tractor', 'vehicles/0/type',
  'vehicles/0/license_plate', 'stops', 'stops/0/order', 'stops/0/estimated_time_departure',
  'stops/0/estimated_time_arrival', 'stops/0/facility', 'stops/0/facility/id', ADDRESS,
  ...['country_name', 'state_name', 'neighborhood_name', 'street_name', 'street_number',
    'zip_code', 'geolocation', 'geolocation/latitude', 'geolocation/longitude',
  ].map((field) => `${ADDRESS}/${field}`),
];

async function commandAsk(session: Session, json: unknown): Promise<Ask> {
  const token = session.setup.commandToken ?? await session.token('rtt');
  return { path: '/rtt/commands', token, json };
}

function success(session: Session, reply: KitReply): (string | undefined)[] {
  return [
    status(reply, 200), member(reply, '/status', 200), member(reply, '/message', 'success'),
  ];
}

function aTransport(session: Session) {
  const id = session.uniqueNumber();
  return { id, license_plate: `KIT-${id % 10_000}`, country_id: session.setup.country };
}

function processBody(session: Session) {
  const id = Buffer.from(session.unique('process')).toString('base64');
  const [init_date, end_date] = [-3_600, 0].map((age) => isoOf(session.nowSeconds() + age));
  const command = 'process_telemetry_events';
  return { command, id, transport: aTransport(session), travel: { init_date, end_date } };
}

function aRoute(session: Session) {
  const at = (seconds: number) => isoOf(session.nowSeconds() + seconds);
  return {
    route_id: session.uniqueNumber(), rostering_id: session.uniqueNumber(),
    estimated_start_date: at(3_600), estimated_end_date: at(7_200),
    estimated_start_monitoring_date: at(3_500), estimated_end_monitoring_date: at(7_300),
    country_id: session.setup.country, carrier: { id: 17, name: 'Kit Carrier' },
    vehicles: [{ is_tractor: true, type: 'van', license_plate: 'KIT-1' }],
    stops: [{
      order: 1,
      facility: {
        id: 'F-1',
        address: {
          country_name: 'Uruguay', state_name: 'Montevideo', neighborhood_name: 'Centro',
          street_name: '18 de Julio', street_number: '1', zip_code: '11000',
          geolocation: { latitude: -34.9, longitude: -56.16 },
        },
      },
      estimated_time_departure: at(3_600), estimated_time_arrival: at(7_200),
    }],
  };
}
