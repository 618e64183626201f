import { TOPIC } from '../../faults/checker/topics.ts';
import { append, aTry } from '../fault-draft.ts';
import { changeTry, keyCommand } from '../fault-evidence.ts';
import { ARGS, changeRecord, endAtDefect, removeFrom, type BadHistory } from './spoil.ts';

const endAfter = (reason: string) => ({
  process: 'workers-1', at_ms: 1_764_000_000_100, code: 1, reason,
});

/** What came in another order than it was sent. */
export const ORDER_HISTORIES: readonly BadHistory[] = [
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
    invariant: 'I9', kind: 'order-violation', story: 'a notification is processed out of order',
    spoil: (run) => changeRecord(run, TOPIC.journeys, (text) => text.includes('"offset":0}'), {
      value: { outcome: 'duplicate', notification: { partition: 0, offset: 0 } },
    }),
  },
  {
    invariant: 'I9', kind: 'order-violation', story: 'what another carrier notifies is applied',
    spoil: (run) => changeRecord(run, TOPIC.notifications, (text) => text.includes('"n1"'), {
      headers: { client: 'another' },
    }),
  },
  {
    invariant: 'I9', kind: 'state-differs', story: 'Redis has another rank than the log',
    spoil: (run) => { run.state.set('{s01}:device:dev-1', { epoch: '2', transport_id: '7' }); },
  },
  {
    invariant: 'I9', kind: 'state-differs', story: 'Redis has an older last position',
    spoil: (run) => {
      run.state.set('{s01}:last-fix:dev-1', { fix: JSON.stringify({ timestamp: 1 }) });
    },
  },
  {
    invariant: 'I10', kind: 'command-reorder', story: 'the second command comes before the first ends',
    spoil: (run) => { run.requests[2] = { ...run.requests[2]!, at: 300.5 }; },
  },
  {
    invariant: 'I10', kind: 'command-doubled', story: 'a repeat with one key is another command',
    spoil: (run) => {
      for (const command_id of ['d1', 'd2', 'd2']) {
        append(run, TOPIC.commands, '10', {
          type: 'ProviderCommandIssued', command_id, provider: 'acme', command_key: '10',
          identity: { key_hash: 'k', body_hash: 'b' },
        });
      }
    },
  },
  {
    invariant: 'I10', kind: 'command-doubled', story: 'a provider gets again what it took',
    spoil: (run) => {
      keyCommand(run);
      run.requests.push({ ...run.requests[1]!, at: 340 });
    },
  },
  {
    invariant: 'I10', kind: 'command-doubled', story: 'a repeat is answered with another id',
    spoil: (run) => {
      for (const command_id of ['c0', 'c9']) {
        run.tries.push(aTry('command', {
          at: 170, client: 'platform', body: { command_id }, args: { command_mark: 'P0' },
        }));
      }
    },
  },
  {
    invariant: 'I10', kind: 'command-dropped', story: 'a command has no end',
    spoil: (run) => removeFrom(run, TOPIC.commandResults, (text) => text.includes('"c2"')),
  },
  {
    invariant: 'I10', kind: 'command-dropped', story: 'a command is done that no provider took',
    spoil: (run) => { run.requests.pop(); },
  },
  {
    invariant: 'I10', kind: 'retried-after-4xx', story: 'a refused command is sent again',
    spoil: (run) => { run.requests.push({ ...run.requests[2]!, at: 340 }); },
  },
];

/** What grew, lagged, leaked or refused. */
export const HEALTH_HISTORIES: readonly BadHistory[] = [
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
    invariant: 'I14', kind: 'forbidden-code', story: 'an outage refuses a good post without end',
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
    invariant: 'I16', kind: 'never-quiet', story: 'a minute is not enough to catch up',
    spoil: (run) => { run.run = { ...run.run, quiet_after_ms: null, lag: { 'table-writer': 7 } }; },
  },
  {
    invariant: 'I17', kind: 'shutdown-error', story: 'a restart cuts a call',
    spoil: (run) => {
      run.tries.push(aTry('send-locations', {
        at: 510, args: ARGS, outcome: 'info', status: null, body: 'ECONNRESET',
      }));
    },
  },
  {
    invariant: 'I18', kind: 'crash-loop', story: 'a process ends again and again at an outage',
    spoil: (run) => { run.ends = Array.from({ length: 4 }, () => endAfter('connect refused')); },
  },
  {
    invariant: 'I18', kind: 'crash-loop', story: 'two processes end one after the other at a record',
    spoil: (run) => {
      const end = endAfter('RecordDefect: a defect at AbC:2:17');
      run.ends = [end, { ...end, process: 'workers-2' }];
    },
  },
  {
    invariant: 'I18', kind: 'crash-loop', story: 'a seeded defect ends processes too often',
    spoil: (run) => { endAtDefect(run, 4); },
  },
  {
    invariant: 'I18', kind: 'crash-loop', story: 'the record of a seeded defect is no dead letter',
    spoil: (run) => {
      endAtDefect(run, 3);
      removeFrom(run, TOPIC.deadLetters, () => true);
    },
  },
  {
    invariant: 'I1', kind: 'undue-dead-letter', story: 'a record is a dead letter before its third end',
    spoil: (run) => { endAtDefect(run, 2); },
  },
];
