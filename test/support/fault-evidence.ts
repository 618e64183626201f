import { TOPIC } from '../faults/checker/topics.ts';
import type { ClientTry, LooseFields } from '../faults/checker/evidence.ts';
import type { CallReceipt } from '../faults/run-files.ts';
import {
  aLocation, append, aTry, CLIENT_IDS, RECEIVED_MS, rowOf, type Draft,
} from './fault-draft.ts';
import { addViewers } from './fault-viewers.ts';

/** A run in which everything happens and nothing is wrong. */
export function aGoodRun(): Draft {
  const state = new Map<string, unknown>();
  const run: Draft = {
    run: {
      scenario: 'unit', seed: 1, epoch: { t_ns: '0', at_ms: RECEIVED_MS }, healed_ns: '0',
      quiet_ns: '0', quiet_after_ms: 900, lag: { 'table-writer': 0 },
      stack: {
        brokers: [], state_urls: [], clickhouse_url: '', clickhouse_user: '',
        clickhouse_password: '', clickhouse_database: '', registry_url: '', gateways: [],
      },
      processes: [{ name: 'workers-1', kind: 'worker', metrics_url: '', lives: 2 }],
      canaries: ['canary-secret-1'], aims: ['I17'], allows: [],
    },
    tries: [], log: [], rows: [], requests: [], posts: [], receipts: [], views: [], state,
    rebuilt: new Map(),
    faults: [{ fault: 'kill', target: 'table-writer', from: 500, to: 600 }],
    samples: [{ t_ns: '0', process: 'gateway-1', rss_bytes: 100_000_000, sockets: 20 }],
    // What was before the run, and once in it, is no loop.
    ends: [
      { process: 'workers-1', at_ms: RECEIVED_MS - 1, code: 1, reason: 'a defect at t:0:1' },
      { process: 'workers-1', at_ms: RECEIVED_MS + 1, code: 1, reason: 'a defect at t:0:1' },
    ],
    sightings: [], finalCodes: new Set(['EX-DELIVERED']),
  };
  addTokens(run);
  addDevice(run);
  addPosts(run);
  addShipment(run);
  addAuthorization(run);
  addCommands(run);
  addWebhook(run);
  addViewers(run);
  for (const [key, value] of state) run.rebuilt.set(key, structuredClone(value));
  return run;
}

function addTokens(run: Draft): void {
  for (const [at, client] of Object.keys(CLIENT_IDS).entries()) {
    const token = `token-${client}`;
    append(run, TOPIC.tokens, token, {
      type: 'TokenIssued', token_hash: token, client_id: CLIENT_IDS[client],
    });
    run.tries.push(aTry('issue-token', {
      at, client, status: 200, args: { subject_token_sha256: token },
    }));
  }
  append(run, TOPIC.tokens, 'token-old', {
    type: 'TokenIssued', token_hash: 'token-old', client_id: CLIENT_IDS['provider-1'],
  });
  append(run, TOPIC.tokens, 'token-old', { type: 'TokenRevoked', token_hash: 'token-old' });
  run.tries.push(
    aTry('revoke-token', {
      at: 5, status: 200,
      args: { token_sha256: 'token-provider-1', subject_token_sha256: 'token-old' },
    }),
    aTry('send-locations', {
      at: 8, outcome: 'fail', status: 403, args: { token_sha256: 'token-old', device_id: 'dev-1' },
    }),
  );
}

function addDevice(run: Draft): void {
  const device = { device_id: 'dev-1', client_id: CLIENT_IDS['provider-1'] };
  const facts = [
    { type: 'DeviceRegistered', epoch: 1, at_ms: 1, ...device, entity_type: 'van', entity_id: 'v1',
      generation: 1, transport_id: 7 },
    { type: 'DeviceTrackingStarted', epoch: 2, at_ms: 2, ...device },
    { type: 'DeviceTrackingStopped', epoch: 3, at_ms: 3, ...device },
  ];
  for (const fact of facts) append(run, TOPIC.lifecycle, 'dev-1', fact);
  const entity = { entity_type: 'van', entity_id: 'v1', transport_id: 7 };
  const args = { device_id: 'dev-1', token_sha256: 'token-provider-1' };
  run.tries.push(
    aTry('register', { at: 10, status: 201, args: entity, body: { id: 'dev-1' } }),
    aTry('register', { at: 14, status: 208, args: entity, body: { id: 'dev-1' } }),
    aTry('start', { at: 20, status: 200, args, body: { id: 'dev-1' } }),
    aTry('start', { at: 24, status: 208, args, body: { id: 'dev-1' } }),
    aTry('stop', { at: 200, status: 200, args, body: { id: 'dev-1' } }),
    aTry('send-locations', {
      at: 210, outcome: 'fail', status: 403, args: { ...args, meant_to_fail: true },
      items: [aLocation('late')],
    }),
  );
  run.state.set('{s01}:device:dev-1', {
    owner: CLIENT_IDS['provider-1'], epoch: '3', transport_id: '7', date_created_ms: '1',
  });
  run.state.set('{s01}:quota:req:100000000000001', '17');
}

function addPosts(run: Draft): void {
  const args = { device_id: 'dev-1', token_sha256: 'token-provider-1', provider: 'acme' };
  const posts = [['m1', 'm2'], ['m3'], ['m3'], ['m4']];
  for (const [at, marks] of posts.entries()) {
    const items = marks.map((mark) => aLocation(mark));
    // The second post got no answer but arrived; its repeat is the third.
    const isLost = at === 1;
    run.tries.push(aTry('send-locations', {
      at: 30 + at * 10, args, items, ingest_id: isLost ? null : `ingest-${at}`, call: `post-${at === 2 ? 1 : at}`, attempt: at === 2 ? 2 : 1,
      ...isLost ? { outcome: 'info' as const, status: null, body: 'ECONNREFUSED' } : {},
    }));
    const { headers } = append(run, TOPIC.locations, 'dev-1', {
      locations: items.map(({ content }) => content),
    });
    Object.assign(headers, { 'ingest-id': `ingest-${at}` });
    if (!isLost) run.rows.push(...items.map(rowOf));
  }
  run.receipts.push(
    receiptOf('ingest-0', 2, { stored: 2, duplicate: 0 }),
    receiptOf('ingest-2', 1, { stored: 0, duplicate: 1 }),
  );
  run.state.set('{s01}:last-fix:dev-1', {
    timestamp: '1764000000',
    fix: JSON.stringify({ timestamp: 1_764_000_000, latitude: 1.5, longitude: 2.5 }),
  });
}

function receiptOf(ingest_id: string, items: number, outcomes: LooseFields): CallReceipt {
  return { ingest_id, status: 200, receipt: { items, outcomes } };
}

function addShipment(run: Draft): void {
  const codes = ['EX-HUB', 'EX-DELIVERED', 'EX-HUB'];
  const outcomes = ['applied', 'applied', 'ignored_after_final'];
  for (const [at, code] of codes.entries()) {
    const notification = {
      tracking_number: 'RST1', code, carrier_code: `n${at}`,
      payload: { date: `2026-11-20T10:0${at}:00Z` },
    };
    const ingest_id = `ingest-n${at}`;
    const headers = { client: CLIENT_IDS['carrier-1'] ?? '', 'ingest-id': ingest_id };
    append(run, TOPIC.notifications, 'RST1', { type: 'NotificationRecorded', notification },
      { headers });
    append(run, TOPIC.journeys, 'RST1', {
      type: 'JourneyRecorded', outcome: outcomes[at], notification: { partition: 0, offset: at },
    });
    run.rows.push({
      kind: 'notification', mark: `n${at}`, key: 'RST1', client_id: CLIENT_IDS['carrier-1'] ?? '',
      provider: '', content: { code }, isOutlier: false, record_id: `0@${at}`,
    });
    run.tries.push(aTry('push-notifications', {
      at: 100 + at * 10, client: 'carrier-1', ingest_id,
      args: { token_sha256: 'token-carrier-1', tracking_number: 'RST1' },
      items: [{ kind: 'notification', mark: `n${at}`, key: 'RST1', content: notification }],
    }));
  }
  run.receipts.push(receiptOf('ingest-n2', 1, { ignored_after_final: 1 }));
  run.state.set('{s02}:shipment:RST1', {
    carrier: CLIENT_IDS['carrier-1'],
    journey: JSON.stringify({ state: { code: 'EX-DELIVERED', final: true } }),
  });
}

function addAuthorization(run: Draft): void {
  const order = { client_id: CLIENT_IDS['platform'], transport_order_id: 'to-1' };
  append(run, TOPIC.authorizations, 'to-1', {
    type: 'ShipmentAuthorized', ...order, epoch: 1, tracking_number: 'RST9',
  });
  for (const at of [140, 150]) {
    run.tries.push(aTry('authorize', {
      at, client: 'platform', status: 200, body: { tracking_number: 'RST9' },
      args: { token_sha256: 'token-platform', shipment_id: '1', transport_order_id: 'to-1' },
    }));
  }
}

/** Three commands of one transport: taken at the second attempt, refused, taken. */
function addCommands(run: Draft): void {
  const answers = [[500, 200], [400], [200]];
  for (const [at, statuses] of answers.entries()) {
    const body = { command: 'start_tracking', transport: { id: 9, license_plate: `P${at}` } };
    const command = { command_id: `c${at}`, provider: 'acme', command_key: '9' };
    append(run, TOPIC.commands, '9', { type: 'ProviderCommandIssued', ...command, body });
    append(run, TOPIC.commandResults, '9', {
      type: 'ProviderCommandResult', ...command, at_ms: RECEIVED_MS + 300 + at * 10 + 5,
      outcome: statuses.at(-1) === 200 ? 'done' : 'refused',
    });
    run.tries.push(aTry('command', {
      at: 160 + at, client: 'platform', body: { command_id: `c${at}` },
      args: { token_sha256: 'token-platform', transport_id: 9, command: 'start_tracking' },
    }));
    for (const [attempt, status] of statuses.entries()) {
      run.requests.push({
        t_ns: '0', at: 300 + at * 10 + attempt, party: 'provider', method: 'POST',
        path: '/rtt/commands', body, status,
      });
    }
  }
}

/** A webhook of the provider for devices: the second fact is taken at the second post. */
function addWebhook(run: Draft): void {
  append(run, TOPIC.webhooks, 'w-1', {
    webhook_id: 'w-1', client_id: CLIENT_IDS['provider-1'], kinds: ['device'],
    ranges: [{ range_id: 'live', topics: [{ topic: TOPIC.lifecycle, starts: [0] }] }],
  });
  for (const [at, offset] of [0, 1, 1, 2].entries()) {
    run.posts.push({
      t_ns: '0', at: 3_700 + at, webhook_id: 'w-1', id: `AbC:0:${offset}`, kind: 'device',
      is_signed: true, status: at === 1 ? null : 204,
    });
  }
}

/** Puts something in the place of the first try that fits. */
export function changeTry(
  run: Draft, fits: (each: ClientTry) => boolean, change: Partial<ClientTry>,
): void {
  const at = run.tries.findIndex(fits);
  const found = run.tries[at];
  if (found === undefined) throw new Error('no such try in the run');
  run.tries[at] = { ...found, ...change };
}

/** Gives the first command of a good run a key. */
export function keyCommand(run: Draft): void {
  const at = run.log.findIndex(({ topic }) => topic === TOPIC.commands);
  const found = run.log[at];
  if (found === undefined) throw new Error('no command in the run');
  const identity = { key_hash: 'k', body_hash: 'b' };
  run.log[at] = { ...found, value: { ...found.value, identity } };
}
