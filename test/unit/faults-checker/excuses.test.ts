import { describe, expect, it } from 'vitest';
import { spansOf } from '../../faults/checker/evidence.ts';
import { checkEvidence } from '../../faults/checker/check-evidence.ts';
import type { InvariantName } from '../../faults/checker/report.ts';
import { TOPIC } from '../../faults/checker/topics.ts';
import { aLocation, append, aTry, rowOf, type Draft } from '../../support/fault-draft.ts';
import { aGoodRun, changeTry, keyCommand } from '../../support/fault-evidence.ts';
import { ARGS, endAtDefect, removeFrom } from '../../support/bad-histories/spoil.ts';

function blamed(run: Draft, invariant: InvariantName): readonly string[] {
  const verdict = checkEvidence(run).verdicts.find((each) => each.invariant === invariant)!;
  return verdict.violations.map(({ kind }) => kind);
}

describe('what the checker excuses, and no more', () => {
  it('knows a dead letter as an end, but not as one that a good item may have', () => {
    const run = aGoodRun();
    const bad = aLocation('m9');
    run.tries.push(aTry('send-locations', { at: 80, args: ARGS, items: [bad] }));
    const { offset } = append(run, TOPIC.locations, 'dev-1', { locations: [bad.content] });
    expect(blamed(run, 'I1')).toEqual(['unaccounted']);
    append(run, TOPIC.deadLetters, 'dev-1', {
      origin: { topic: TOPIC.locations, partition: 0, offset },
    });
    expect(blamed(run, 'I1')).toEqual(['undue-dead-letter']);
  });

  it('accepts an outlier as the end of an accepted item', () => {
    const run = aGoodRun();
    const old = aLocation('m9', 'dev-1', 946_684_800);
    run.tries.push(aTry('send-locations', { at: 80, args: ARGS, items: [old] }));
    append(run, TOPIC.locations, 'dev-1', { locations: [old.content] });
    run.rows.push({ ...rowOf(old), content: { timestamp: 946_684_800 }, isOutlier: true });
    expect(blamed(run, 'I1')).toEqual([]);
    expect(blamed(run, 'I9')).toEqual([]);
  });

  it('accepts that an unknown outcome is stored once, and not that it is stored twice', () => {
    const run = aGoodRun();
    const maybe = aLocation('m9');
    run.tries.push(aTry('send-locations', {
      at: 520, args: ARGS, items: [maybe], outcome: 'info', status: 500,
    }));
    append(run, TOPIC.locations, 'dev-1', { locations: [maybe.content] });
    run.rows.push(rowOf(maybe));
    expect([...blamed(run, 'I1'), ...blamed(run, 'I2')]).toEqual([]);
    run.rows.push(rowOf(maybe));
    expect(blamed(run, 'I1')).toEqual(['duplicate']);
  });

  it('accepts a post that was in flight when its device was stopped', () => {
    const run = aGoodRun();
    run.tries.push(aTry('send-locations', { at: 199, to: 230, args: ARGS }));
    expect(blamed(run, 'I5')).toEqual([]);
  });

  it('accepts two devices of an entity with a stop in between', () => {
    const run = aGoodRun();
    const args = { entity_type: 'van', entity_id: 'v1' };
    run.tries.push(aTry('register', { at: 210, status: 201, args, body: { id: 'dev-2' } }));
    expect(blamed(run, 'I4')).toEqual([]);
  });

  it('accepts that a crash repeats a refused command, but not after its end was recorded', () => {
    const run = aGoodRun();
    run.faults = [{ fault: 'kill', target: 'parties', from: 305, to: 345 }];
    run.requests.push({ ...run.requests[2]!, at: 340 });
    expect(blamed(run, 'I10')).toEqual([]);
    run.requests.push({ ...run.requests[2]!, at: 9_000 });
    expect(blamed(run, 'I10')).toEqual(['retried-after-4xx']);
  });

  it('knows whose a number is: who notified first, or who was declared, the strongest word', () => {
    const notify = (run: Draft, client: string, outcome: string, at: number, owner = {}): void => {
      const offset = run.log.filter(({ topic }) => topic === TOPIC.notifications).length;
      append(run, TOPIC.notifications, 'RST7', {
        ...owner,
        notification: {
          tracking_number: 'RST7', code: 'EX-HUB', carrier_code: `d${at}`,
          payload: { date: `2026-11-20T10:0${at}:00Z` },
        },
      }, { headers: { client } });
      append(run, TOPIC.journeys, 'RST7', { outcome, notification: { partition: 0, offset } });
    };
    const owned = (client_id: string, basis: string, at_ms: number) => (
      { owner: { client_id, basis, at_ms } }
    );
    const run = aGoodRun();
    notify(run, 'a', 'applied', 1);
    notify(run, 'b', 'disputed', 2);
    notify(run, 'a', 'applied', 3);
    notify(run, 'b', 'applied', 1, owned('b', 'authorization', 5));
    notify(run, 'a', 'disputed', 4, owned('a', 'range', 9));
    notify(run, 'c', 'applied', 2, owned('c', 'authorization', 6));
    expect(blamed(run, 'I9')).toEqual([]);
    expect(blamed(run, 'I8')).toEqual([]);
    notify(run, 'a', 'applied', 5);
    expect(blamed(run, 'I9')).toEqual(['order-violation']);
  });

  it('accepts that a provider gets a command again after a fault of the sender, not of a gateway', () => {
    const run = aGoodRun();
    keyCommand(run);
    run.requests.push({ ...run.requests[1]!, at: 340 });
    run.faults = [{ fault: 'kill', target: 'parties', from: 305, to: 335 }];
    expect(blamed(run, 'I10')).toEqual([]);
    run.faults = [{ fault: 'kill', target: 'gateway-1', from: 305, to: 335 }];
    expect(blamed(run, 'I10')).toEqual(['command-doubled']);
  });

  it('accepts that a provider gets a command again after it answered too late, by the log', () => {
    const run = aGoodRun();
    keyCommand(run);
    run.requests.push({ ...run.requests[1]!, at: 340 });
    const { value } = run.log.find(({ topic }) => topic === TOPIC.commands)!;
    const retry = (at: number, reason: string): void => {
      append(run, TOPIC.commandResults, '9', {
        ...value, type: 'ProviderCommandResult', outcome: 'retry', reason,
        at_ms: run.run.epoch.at_ms + at,
      });
    };
    retry(320, 'network');
    retry(9_000, 'timeout');
    expect(blamed(run, 'I10')).toEqual(['command-doubled']);
    retry(320, 'timeout');
    expect(blamed(run, 'I10')).toEqual([]);
    run.requests.push({ ...run.requests[2]!, at: 330 });
    expect(blamed(run, 'I10')).toEqual(['retried-after-4xx']);
    append(run, TOPIC.commandResults, '9', {
      ...value, command_id: 'c1', type: 'ProviderCommandResult', outcome: 'retry',
      reason: 'timeout', at_ms: run.run.epoch.at_ms + 325,
    });
    expect(blamed(run, 'I10')).toEqual([]);
  });

  it('accepts the repeat of a refused command whose end a fault kept from the log', () => {
    const run = aGoodRun();
    run.faults = [{ fault: 'freeze', target: 'parties', from: 305, to: 12_000 }];
    run.requests.push({ ...run.requests[2]!, at: 13_000 });
    expect(blamed(run, 'I10')).toEqual([]);
    run.requests.push({ ...run.requests[2]!, at: 15_000 });
    expect(blamed(run, 'I10')).toEqual(['retried-after-4xx']);
  });

  it('distinguishes two commands with one body by their answers, whatever the clocks say', () => {
    const run = aGoodRun();
    const { value } = run.log.find(({ topic }) => topic === TOPIC.commands)!;
    const twin = { ...value, command_id: 'twin' };
    append(run, TOPIC.commands, '9', twin);
    append(run, TOPIC.commandResults, '9', { ...twin, outcome: 'done', at_ms: 0 });
    run.requests.push({ ...run.requests[1]!, at: 350 });
    expect(blamed(run, 'I10')).toEqual([]);
    run.requests.pop();
    expect(blamed(run, 'I10')).toEqual(['command-dropped']);
  });

  it('gives a start that a stop has cancelled only what was sent for it', () => {
    const run = aGoodRun();
    const { value } = run.log.find(({ topic }) => topic === TOPIC.commands)!;
    removeFrom(run, TOPIC.commandResults, (text) => text.includes('"c0"'));
    append(run, TOPIC.commandResults, '9', { ...value, outcome: 'cancelled', attempt: 1 });
    const twin = { ...value, command_id: 'twin' };
    append(run, TOPIC.commands, '9', twin);
    append(run, TOPIC.commandResults, '9', { ...twin, outcome: 'done', at_ms: 0 });
    run.requests[1] = { ...run.requests[1]!, at: 350 };
    expect(blamed(run, 'I10')).toEqual([]);
  });

  it('accepts that no process listened while a gateway was restarted', () => {
    const run = aGoodRun();
    changeTry(run, ({ status }) => status === null, { body: 'connect ECONNREFUSED' });
    expect(blamed(run, 'I17')).toEqual([]);
  });

  it('accepts a claimed stop that the log does not know', () => {
    const run = aGoodRun();
    run.state.set('{s01}:device:dev-1', { epoch: '3', stop_from: '2', transport_id: '7' });
    run.rebuilt.set('{s01}:device:dev-1', { epoch: '2', transport_id: '7' });
    expect(blamed(run, 'I3')).toEqual([]);
  });

  it('knows codes only from their import on, by the clock of who received a notification', () => {
    const receivedAt = (ms: number): readonly string[] => {
      const run = aGoodRun();
      append(run, TOPIC.codes, 'codes', { valid_from_ms: 5_000, at_ms: 4_000 });
      for (const [at, entry] of run.log.entries()) {
        if (entry.topic !== TOPIC.notifications) continue;
        run.log[at] = { ...entry, headers: { ...entry.headers, 'received-at': String(ms) } };
      }
      return blamed(run, 'I8');
    };
    expect(receivedAt(5_000)).toEqual([]);
    expect(receivedAt(4_999)).toEqual(['final-violation']);
  });

  it('accepts lag and open commands of a run that stands still on purpose', () => {
    const run = aGoodRun();
    run.run = { ...run.run, quiet_after_ms: null, allows: ['stands-still'] };
    removeFrom(run, TOPIC.commandResults, () => true);
    expect([...blamed(run, 'I16'), ...blamed(run, 'I10')]).toEqual([]);
  });

  it('accepts three ends at the record of a seeded defect, and its dead letter', () => {
    const run = aGoodRun();
    endAtDefect(run, 3);
    expect([...blamed(run, 'I18'), ...blamed(run, 'I1')]).toEqual([]);
    const { ends_at_record_max: _, ...unsaid } = run.run;
    run.run = unsaid;
    expect([...blamed(run, 'I18'), ...new Set(blamed(run, 'I1'))])
      .toEqual(['crash-loop', 'undue-dead-letter']);
  });

  it('accepts that what a webhook took comes again across a fault, but of a gateway', () => {
    const run = aGoodRun();
    run.posts.push({ ...run.posts.at(-1)!, at: 9_000 });
    run.faults = [{ fault: 'kill -9', target: 'webhooks', from: 4_000, to: 5_000 }];
    expect(blamed(run, 'I19')).toEqual([]);
    run.faults = [{ fault: 'kill -9', target: 'gateway-1', from: 4_000, to: 5_000 }];
    expect(blamed(run, 'I19')).toEqual(['duplicate']);
  });

  it('pairs the begin of a fault with its own end', () => {
    const line = (t_ns: string, phase: 'begin' | 'end', target: string) => (
      { t_ns, phase, fault: 'kill', target }
    );
    const spans = spansOf([
      line('1', 'begin', 'a'), line('2', 'begin', 'b'), line('3', 'end', 'b'),
      line('4', 'end', 'a'), line('5', 'begin', 'a'),
    ], Number);
    expect(spans.map(({ target, from, to }) => [target, from, to])).toEqual([
      ['a', 1, 4], ['b', 2, 3], ['a', 5, Infinity],
    ]);
  });
});
