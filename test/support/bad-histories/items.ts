import { TOPIC } from '../../faults/checker/topics.ts';
import { aLocation, append, aTry, rowOf } from '../fault-draft.ts';
import { changeTry } from '../fault-evidence.ts';
import { ARGS, changeRecord, removeFrom, type BadHistory } from './spoil.ts';

/** Items that are lost, doubled, invented or changed, and stores that differ. */
export const ITEM_HISTORIES: readonly BadHistory[] = [
  {
    invariant: 'I21', kind: 'shown-differs', story: 'a receipt calls the second of two equal fixes stored',
    spoil: (run) => {
      run.receipts[1] = { ...run.receipts[1]!, receipt: { items: 1, outcomes: { stored: 1 } } };
    },
  },
  {
    invariant: 'I21', kind: 'shown-differs', story: 'a receipt does not know that a fix is an outlier',
    spoil: (run) => {
      const at = run.rows.findIndex(({ mark }) => mark === 'm1');
      run.rows[at] = { ...run.rows[at]!, isOutlier: true };
    },
  },
  {
    invariant: 'I21', kind: 'shown-differs', story: 'a receipt says that a notification after the final one counted',
    spoil: (run) => {
      run.receipts[2] = { ...run.receipts[2]!, receipt: { items: 1, outcomes: { stored: 1 } } };
    },
  },
  {
    invariant: 'I21', kind: 'shown-differs', story: 'an accepted call has no receipt',
    spoil: (run) => { run.receipts[0] = { ...run.receipts[0]!, status: 404, receipt: {} }; },
  },
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
    invariant: 'I1', kind: 'unaccounted', story: 'a notification has no journey event',
    spoil: (run) => removeFrom(run, TOPIC.journeys, (text) => text.includes('"offset":1,"key"')),
  },
  {
    invariant: 'I1', kind: 'unaccounted', story: 'a notification has a journey event, but no analyst sees it',
    spoil: (run) => { run.rows.splice(run.rows.findIndex(({ mark }) => mark === 'n1'), 1); },
  },
  {
    invariant: 'I1', kind: 'undue-dead-letter', story: 'an outage makes dead letters of good posts',
    spoil: (run) => {
      append(run, TOPIC.deadLetters, 'dev-1', {
        origin: { topic: TOPIC.locations, partition: 0, offset: 3 },
      });
    },
  },
  {
    invariant: 'I1', kind: 'duplicate', story: 'a location stands twice in its view',
    spoil: (run) => { run.rows.push(rowOf(aLocation('m1'))); },
  },
  {
    invariant: 'I2', kind: 'phantom', story: 'a row that no client sent',
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
    invariant: 'I2', kind: 'phantom', story: 'a revocation that no client asked for',
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

/** Decisions that were taken twice, too late or for the wrong caller. */
export const DECISION_HISTORIES: readonly BadHistory[] = [
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
    invariant: 'I6', kind: 'early-accept', story: 'a post is accepted before any start',
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
