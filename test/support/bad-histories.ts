import { TOPIC } from '../faults/checker/topics.ts';
import type { InvariantName, ViolationKind } from '../faults/checker/report.ts';
import {
  aLocation, append, aTry, changeTry, rowOf, type Draft,
} from './fault-evidence.ts';

/** A way to spoil a good run, and what the checker must call it. */
export interface BadHistory {
  readonly invariant: InvariantName;
  readonly kind: ViolationKind;
  readonly story: string;
  readonly spoil: (run: Draft) => void;
}

const ARGS = { device_id: 'dev-1', token_sha256: 'token-provider-1', provider: 'acme' };

/** Takes the records of a topic that fit out of the log. */
function removeFrom(run: Draft, topic: string, fits: (text: string) => boolean): void {
  for (let at = run.log.length - 1; at >= 0; at -= 1) {
    const entry = run.log[at];
    if (entry?.topic === topic && fits(JSON.stringify(entry))) run.log.splice(at, 1);
  }
}

function changeRecord(
  run: Draft, topic: string, fits: (text: string) => boolean, change: object,
): void {
  const at = run.log.findIndex((entry) => entry.topic === topic && fits(JSON.stringify(entry)));
  const found = run.log[at];
  if (found === undefined) throw new Error('no such record in the run');
  run.log[at] = { ...found, ...change };
}

const items: readonly BadHistory[] = [
  {
    invariant: 'I1', kind: 'lost', story: 'an accepted post is not in the log',
    spoil: (run) => {
      removeFrom(run, TOPIC.locations, (text) => text.includes('"m4"'));
      run.rows.splice(run.rows.findIndex(({ mark }) => mark === 'm4'), 1);
    },
  },
  {
    invariant: 'I1', kind: 'lost', story: 'a stop that was answered is no fact in the log',
    spoil: (run) => {
      removeFrom(run, TOPIC.lifecycle, (text) => text.includes('DeviceTrackingStopped'));
    },
  },
  {
    invariant: 'I1', kind: 'unaccounted', story: 'an accepted location is in the log only',
    spoil: (run) => { run.rows.splice(run.rows.findIndex(({ mark }) => mark === 'm4'), 1); },
  },
  {
    invariant: 'I1', kind: 'unaccounted', story: 'a notification was never judged',
    spoil: (run) => removeFrom(run, TOPIC.journeys, (text) => text.includes('"offset":1,"key"')),
  },
  {
    invariant: 'I1', kind: 'duplicate', story: 'a location stands twice in its view',
    spoil: (run) => { run.rows.push(rowOf(aLocation('m1'))); },
  },
  {
    invariant: 'I2', kind: 'phantom', story: 'a row that nobody sent',
    spoil: (run) => { run.rows.push(rowOf(aLocation('never-sent'))); },
  },
  {
    invariant: 'I2', kind: 'phantom', story: 'a row of a post that was refused',
    spoil: (run) => { run.rows.push(rowOf(aLocation('late'))); },
  },
  {
    invariant: 'I2', kind: 'phantom', story: 'a record of a post that was refused',
    spoil: (run) => {
      append(run, TOPIC.locations, 'dev-1', { locations: [aLocation('late').content] });
    },
  },
  {
    invariant: 'I2', kind: 'phantom', story: 'a revocation that nobody asked for',
    spoil: (run) => {
      append(run, TOPIC.tokens, 'token-x', { type: 'TokenRevoked', token_hash: 'token-x' });
    },
  },
  {
    invariant: 'I2', kind: 'altered', story: 'a location is stored at another place',
    spoil: (run) => {
      const row = rowOf(aLocation('m1'));
      run.rows[0] = { ...row, content: { ...row.content, latitude: 1.6 } };
    },
  },
  {
    invariant: 'I3', kind: 'rebuild-differs', story: 'a device has another rank after a rebuild',
    spoil: (run) => { run.rebuilt.set('{s01}:device:dev-1', { epoch: '2' }); },
  },
  {
    invariant: 'I3', kind: 'rebuild-differs', story: 'a shipment does not come back',
    spoil: (run) => { run.rebuilt.delete('{s02}:shipment:RST1'); },
  },
];

const decisions: readonly BadHistory[] = [
  {
    invariant: 'I4', kind: 'double-201', story: 'two calls created the same device',
    spoil: (run) => changeTry(run, ({ status }) => status === 208, { status: 201 }),
  },
  {
    invariant: 'I4', kind: 'double-201', story: 'a device is created after it was found there',
    spoil: (run) => {
      changeTry(run, ({ op, status }) => op === 'register' && status === 201, { from: 30, to: 31 });
    },
  },
  {
    invariant: 'I4', kind: 'id-mismatch', story: 'a repeat gets another device without a stop',
    spoil: (run) => changeTry(run, ({ status }) => status === 208, { body: { id: 'dev-2' } }),
  },
  {
    invariant: 'I4', kind: 'id-mismatch', story: 'two devices of one generation in the log',
    spoil: (run) => {
      append(run, TOPIC.lifecycle, 'dev-2', {
        type: 'DeviceRegistered', epoch: 1, device_id: 'dev-2', client_id: '100000000000001',
        entity_type: 'van', entity_id: 'v1', generation: 1,
      });
    },
  },
  {
    invariant: 'I5', kind: 'stale-accept', story: 'a post begun after the stop is accepted',
    spoil: (run) => { run.tries.push(aTry('send-locations', { at: 220, args: ARGS })); },
  },
  {
    invariant: 'I6', kind: 'early-accept', story: 'a post is accepted before anybody starts',
    spoil: (run) => { run.tries.push(aTry('send-locations', { at: 15, args: ARGS })); },
  },
  {
    invariant: 'I6', kind: 'double-200', story: 'a start happens twice',
    spoil: (run) => {
      changeTry(run, ({ op, status }) => op === 'start' && status === 208, { status: 200 });
    },
  },
  {
    invariant: 'I7', kind: 'stale-accept', story: 'a revoked token still opens',
    spoil: (run) => {
      changeTry(run, ({ args }) => args.token_sha256 === 'token-old', {
        outcome: 'ok', status: 202,
      });
    },
  },
  {
    invariant: 'I11', kind: 'id-mismatch', story: 'one transport order gets two numbers',
    spoil: (run) => {
      changeTry(run, ({ op }) => op === 'authorize', { body: { tracking_number: 'RST8' } });
    },
  },
  {
    invariant: 'I11', kind: 'shared-number', story: 'two transport orders share a number',
    spoil: (run) => {
      run.tries.push(aTry('authorize', {
        at: 170, client: 'platform', status: 200, body: { tracking_number: 'RST9' },
        args: { transport_order_id: 'to-2' },
      }));
    },
  },
  {
    invariant: 'I12', kind: 'wrong-owner', story: 'a record is kept under another client',
    spoil: (run) => changeRecord(run, TOPIC.locations, (text) => text.includes('m4'), {
      headers: { client: '100000000000002' },
    }),
  },
  {
    invariant: 'I12', kind: 'wrong-owner', story: 'a row is shown under another client',
    spoil: (run) => { run.rows[0] = { ...rowOf(aLocation('m1')), client_id: '100000000000003' }; },
  },
  {
    invariant: 'I12', kind: 'foreign-accept', story: 'a client speaks for the device of another',
    spoil: (run) => {
      run.tries.push(aTry('send-locations', {
        at: 60, client: 'carrier-1', args: { ...ARGS, token_sha256: 'token-carrier-1' },
      }));
    },
  },
];

const orders: readonly BadHistory[] = [
  {
    invariant: 'I8', kind: 'final-violation', story: 'an event after the final code is applied',
    spoil: (run) => changeRecord(run, TOPIC.journeys, (text) => text.includes('ignored'), {
      value: { outcome: 'applied', notification: { partition: 0, offset: 2 } },
    }),
  },
  {
    invariant: 'I8', kind: 'final-violation', story: 'Redis moved on after the final code',
    spoil: (run) => {
      run.state.set('{s02}:shipment:RST1', {
        journey: JSON.stringify({ state: { code: 'EX-HUB', final: false } }),
      });
    },
  },
  {
    invariant: 'I9', kind: 'order-violation', story: 'two calls of a device swapped in the log',
    spoil: (run) => {
      const posts = run.log.filter(({ topic }) => topic === TOPIC.locations);
      const [first, last] = [posts[0]?.value, posts.at(-1)?.value];
      changeRecord(run, TOPIC.locations, (text) => text.includes('"m1"'), { value: last });
      changeRecord(run, TOPIC.locations, (text) => text.includes('"offset":3'), { value: first });
    },
  },
  {
    invariant: 'I9', kind: 'order-violation', story: 'a record lies under another key',
    spoil: (run) => {
      changeRecord(run, TOPIC.locations, (text) => text.includes('m4'), { key: 'ingest-7' });
    },
  },
  {
    invariant: 'I9', kind: 'order-violation', story: 'one key in two partitions',
    spoil: (run) => {
      changeRecord(run, TOPIC.locations, (text) => text.includes('m4'), { partition: 3 });
    },
  },
  {
    invariant: 'I9', kind: 'order-violation', story: 'a notification is judged out of turn',
    spoil: (run) => changeRecord(run, TOPIC.journeys, (text) => text.includes('"offset":0}'), {
      value: { outcome: 'duplicate', notification: { partition: 0, offset: 0 } },
    }),
  },
  {
    invariant: 'I9', kind: 'state-differs', story: 'Redis has another rank than the log',
    spoil: (run) => { run.state.set('{s01}:device:dev-1', { epoch: '2', transport_id: '7' }); },
  },
  {
    invariant: 'I9', kind: 'state-differs', story: 'Redis has an older last position',
    spoil: (run) => {
      run.state.set('{s01}:position:dev-1', { fix: JSON.stringify({ timestamp: 1 }) });
    },
  },
  {
    invariant: 'I10', kind: 'command-reorder', story: 'the second command comes before the first ends',
    spoil: (run) => { run.requests[2] = { ...run.requests[2]!, at: 300.5 }; },
  },
  {
    invariant: 'I10', kind: 'command-dropped', story: 'a command has no end',
    spoil: (run) => removeFrom(run, TOPIC.commandResults, (text) => text.includes('"c2"')),
  },
  {
    invariant: 'I10', kind: 'command-dropped', story: 'a command is done that nobody took',
    spoil: (run) => { run.requests.pop(); },
  },
  {
    invariant: 'I10', kind: 'retried-after-4xx', story: 'a refused command is sent again',
    spoil: (run) => { run.requests.push({ ...run.requests[2]!, at: 340 }); },
  },
];

const health: readonly BadHistory[] = [
  {
    invariant: 'I13', kind: 'unbounded', story: 'a process grows without end',
    spoil: (run) => {
      run.samples = [{ t_ns: '0', process: 'gateway-1', rss_bytes: 3e9, sockets: 20 }];
    },
  },
  {
    invariant: 'I13', kind: 'unbounded', story: 'a process never closes its sockets',
    spoil: (run) => {
      run.samples = [{ t_ns: '0', process: 'gateway-1', rss_bytes: 1e8, sockets: 9_000 }];
    },
  },
  {
    invariant: 'I13', kind: 'slow-answer', story: 'an answer takes half a minute',
    spoil: (run) => changeTry(run, ({ op }) => op === 'send-locations', { to: 30_000 }),
  },
  {
    invariant: 'I14', kind: 'forbidden-code', story: 'an outage refuses a good post for ever',
    spoil: (run) => {
      run.tries.push(aTry('send-locations', { at: 70, args: ARGS, outcome: 'fail', status: 403 }));
    },
  },
  {
    invariant: 'I14', kind: 'forbidden-code', story: 'a good post is a 500 before any fault',
    spoil: (run) => {
      run.tries.push(aTry('send-locations', { at: 70, args: ARGS, outcome: 'info', status: 500 }));
    },
  },
  {
    invariant: 'I14', kind: 'forbidden-code', story: 'a status that the interface does not know',
    spoil: (run) => {
      run.tries.push(aTry('send-locations', { at: 550, args: ARGS, outcome: 'info', status: 503 }));
    },
  },
  {
    invariant: 'I15', kind: 'leak', story: 'a secret in the log of a process',
    spoil: (run) => { run.sightings = [{ source: 'gateway-1/output.log, line 7', canary: 0 }]; },
  },
  {
    invariant: 'I15', kind: 'leak', story: 'a secret in an error body',
    spoil: (run) => changeTry(run, ({ outcome }) => outcome === 'fail', {
      body: { detail: 'no access with canary-secret-1' },
    }),
  },
  {
    invariant: 'I15', kind: 'leak', story: 'a secret in a header of a dead letter',
    spoil: (run) => {
      append(run, TOPIC.deadLetters, 'k', {}, { headers: { client: 'canary-secret-1' } });
    },
  },
  {
    invariant: 'I16', kind: 'never-settled', story: 'a minute is not enough to catch up',
    spoil: (run) => { run.run = { ...run.run, settled_ms: null, lag: { 'table-writer': 7 } }; },
  },
  {
    invariant: 'I17', kind: 'shutdown-error', story: 'a restart cuts a call',
    spoil: (run) => {
      run.tries.push(aTry('send-locations', {
        at: 510, args: ARGS, outcome: 'info', status: null, body: 'ECONNRESET',
      }));
    },
  },
];

/** Every way to spoil a run that the checker is proven to see. */
export const BAD_HISTORIES: readonly BadHistory[] = [...items, ...decisions, ...orders, ...health];
