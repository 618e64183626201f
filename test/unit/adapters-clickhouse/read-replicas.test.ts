import { ClickHouseError } from '@clickhouse/client';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  readReplicas, type TableReads,
} from '../../../services/adapters/clickhouse/read-replicas.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';

let nowMs = 0;
let asked: string[] = [];
const ends = new Map<string, Error>();

function replica(name: string): TableReads {
  const answer = (what: string) => async (): Promise<never> => {
    asked.push(`${what} of ${name}`);
    const error = ends.get(name);
    if (error !== undefined) throw error;
    return Promise.resolve(name as never);
  };
  return {
    history: { notifications: answer('feed'), journey: answer('journey') },
    itemOutcomes: { find: answer('receipt'), newest: answer('receipts') },
    platformHistory: { lastPlace: answer('place'), deferredAnswer: answer('answer') },
    pastFleet: { find: answer('fleet') },
    deviceTracks: { find: answer('track') }, providerQuality: { find: answer('scores') },
    ingestMinutes: { find: answer('balance') }, audits: { find: answer('audits') },
  };
}

const gone = (cause?: unknown) => new Unavailable('sink_unavailable', 'receive', 'away', cause);
const reads = () => readReplicas(
  ['a', 'b'].map(replica), { clock: { nowMs: () => nowMs }, signals: silentSignals },
);

beforeEach(() => {
  nowMs = 1_000_000;
  asked = [];
  ends.clear();
});

describe('Reading from replicas of the tables', () => {
  it.each([
    ['feed', (at: TableReads) => at.history.notifications({} as never, undefined, 1)],
    ['journey', (at: TableReads) => at.history.journey({} as never, undefined, 1)],
    ['receipt', (at: TableReads) => at.itemOutcomes.find(undefined, 'i')],
    ['scores', (at: TableReads) => at.providerQuality.find([])],
    ['receipts', (at: TableReads) => at.itemOutcomes.newest('c', { sinceMs: 0, limit: 1 })],
    ['place', (at: TableReads) => at.platformHistory.lastPlace('n')],
    ['fleet', (at: TableReads) => at.pastFleet.find({} as never)],
    ['track', (at: TableReads) => at.deviceTracks.find({} as never)],
    ['balance', (at: TableReads) => at.ingestMinutes.find(0, 1)],
    ['audits', (at: TableReads) => at.audits.find({} as never, undefined, 1)],
    ['answer', (at: TableReads) => at.platformHistory.deferredAnswer('p', 'r')],
  ])('[GEN-66] asks for %s the first one, and the next when it is away', async (what, ask) => {
    const at = reads();
    expect(await ask(at)).toBe('a');
    ends.set('a', gone());
    expect(await ask(at)).toBe('b');
    expect(asked).toEqual([`${what} of a`, `${what} of a`, `${what} of b`]);
  });

  it('asks one that was away last for five seconds, and then first again', async () => {
    const at = reads();
    const ask = () => at.history.journey({} as never, undefined, 1);
    ends.set('a', gone());
    await ask();
    ends.clear();
    asked = [];
    nowMs += 4_999;
    expect(await ask()).toBe('b');
    nowMs += 1;
    expect(await ask()).toBe('a');
    expect(asked).toEqual(['journey of b', 'journey of a']);
  });

  it('goes on asking first one that answered with a refusal', async () => {
    const at = reads();
    const ask = () => at.history.journey({} as never, undefined, 1);
    ends.set('a', gone(new ClickHouseError({ message: 'memory', code: '241', type: 'X' })));
    expect([await ask(), await ask()]).toEqual(['b', 'b']);
    expect(asked).toHaveLength(4);
  });

  it('[GEN-66] is an outage only when none answers, also where one is being restored', async () => {
    const at = reads();
    const ask = () => at.history.journey({} as never, undefined, 1);
    ends.set('a', new Error('no such table'));
    expect(await ask()).toBe('b');
    ends.set('b', gone());
    await expect(ask()).rejects.toMatchObject({ code: 'sink_unavailable' });
    expect(asked.slice(-2)).toEqual(['journey of a', 'journey of b']);
    ends.set('b', new Error('no such table either'));
    await expect(ask()).rejects.toThrow('no such table');
  });
});
