import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNotification } from '../../support/notifications.ts';
import { ofCarrier } from '../../support/shipment-history.suite.ts';
import { freshGroup, openShipmentFlow, type RunningWorker, type ShipmentFlow }
  from './shipment-flow.ts';

const WAIT = { timeout: 20_000, interval: 100 };
let flow: ShipmentFlow;
const GROUP = freshGroup();
let workers: RunningWorker[] = [];
let made = 0;
const fresh = (): string => `RST-${made += 1}`;
const notify = (tracking_number: string, code: string, minute: number, more = {}) => ({
  ...aNotification(code, {
    date: `2026-11-20T10:${String(minute).padStart(2, '0')}:00-03:00`, ...more,
  }), tracking_number,
});

beforeAll(async () => {
  flow = await openShipmentFlow();
  workers = [await flow.projector(GROUP), await flow.writer(freshGroup())];
}, 60_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await flow.close();
});

async function push(...notifications: readonly object[]): Promise<void> {
  expect((await flow.edge.push(notifications)).status).toBe(202);
}

const rowsOf = (view: string, number: string) => flow.tables.analyst.query(
  `SELECT * FROM ${view} WHERE tracking_number = {number:String}
   ORDER BY ${view === 'v_shipment_last' ? 'tracking_number' : 'k_offset'}`, { number },
);
const outcomes = async (number: string) => (
  (await rowsOf('v_journeys', number)).map(({ outcome }) => outcome)
);

/** Waits for both kinds of rows: their topics are read side by side, so either may come first. */
async function flushAll(number: string, wanted: readonly string[]): Promise<void> {
  await expect.poll(() => outcomes(number), WAIT).toEqual(wanted);
  await expect.poll(async () => (await rowsOf('v_notifications', number)).length, WAIT)
    .toBe(wanted.length);
}

/** All that the product returns about the shipments, to compare before and after. */
async function everything(numbers: readonly string[]): Promise<unknown> {
  return Promise.all(numbers.map(async (number) => [
    ...await Promise.all(
      ['v_notifications', 'v_journeys', 'v_shipment_last'].map((view) => rowsOf(view, number)),
    ),
    await flow.history.notifications(ofCarrier(number), undefined, 100),
    await flow.history.journey(ofCarrier(number), undefined, 100),
    await flow.states.shipments.find(number),
  ]));
}

describe('A notification that analysts read', () => {
  it('[NOT-32] [NOT-39] [NOT-40] is in every view, classified, once all read it', async () => {
    const number = fresh();
    await push(
      notify(number, 'EX-HUB', 10, {
        comment: 'SECRET', location: { country_id: 'BR', city_name: 'Osasco', zip_code: 'SECRET' },
      }),
      notify(number, 'EX-HUB', 5), notify(number, 'EX-HUB', 5), notify(number, 'CBT-0260', 12),
      notify(number, 'NOBODY-KNOWS', 13),
    );
    await flushAll(number, ['applied', 'out_of_order', 'duplicate', 'applied', 'applied']);
    expect(await rowsOf('v_notifications', number)).toMatchObject([
      {
        code: 'EX-HUB', carrier_code: 'own-EX-HUB', occurred_at: '2026-11-20 13:10:00.000',
        country_id: 'BR', city: 'Osasco', client_id: 'carrier-1', has_image: false, cost: null,
      },
      { occurred_at: '2026-11-20 13:05:00.000' }, { occurred_at: '2026-11-20 13:05:00.000' },
      { code: 'CBT-0260', cost: 12.5, weight: 1500 }, { code: 'NOBODY-KNOWS' },
    ]);
    expect(await rowsOf('v_journeys', number)).toMatchObject([
      { status_before: '', status: 'in_transit', rule: 'first', source: 'push', final: false },
      {}, {}, { code: 'CBT-0260', status: 'in_transit' },
      { unmapped: true, status_before: 'in_transit', status: 'in_transit' },
    ]);
    expect(await rowsOf('v_shipment_last', number)).toMatchObject([{
      carrier: 'carrier-1', status: 'in_transit', code: 'NOBODY-KNOWS', final: false,
      occurred_at: '2026-11-20 13:13:00.000', notifications: '5', ignored: '2',
    }]);
    expect(JSON.stringify(await rowsOf('v_notifications', number))).not.toContain('SECRET');
  }, 60_000);

  it('[NOT-36] [NOT-37] counts for nothing after a final code, also after a wiped and rebuilt store', async () => {
    const number = fresh();
    await push(notify(number, 'EX-HUB', 1), notify(number, 'EX-DELIVERED', 3), notify(number, 'EX-HUB', 9));
    const first = ['applied', 'applied', 'ignored_after_final'];
    await flushAll(number, first);
    const [before] = await rowsOf('v_shipment_last', number);
    expect(before).toMatchObject({ status: 'delivered', code: 'EX-DELIVERED', final: true });
    const stored = await flow.states.shipments.find(number);

    await flow.states.wipe();
    expect((await flow.edge.push([notify(number, 'EX-HUB', 10)])).status).toBe(500);
    await flow.rebuild();
    expect((await flow.states.shipments.find(number))?.state).toEqual(stored?.state);
    await push(notify(number, 'EX-LOST', 20), notify(number, 'EX-HUB', 2));
    await flushAll(number, [...first, 'ignored_after_final', 'ignored_after_final']);
    const [after] = await rowsOf('v_shipment_last', number);
    expect(after).toMatchObject({
      status: 'delivered', code: 'EX-DELIVERED', final: true, notifications: '5', ignored: '3',
      occurred_at: before?.['occurred_at'],
    });
  }, 60_000);
});

describe('The same log read again', () => {
  it('doubles nothing, in no store, for projector and table writer of other groups', async () => {
    const numbers = [fresh(), fresh()];
    for (const number of numbers) {
      await push(notify(number, 'EX-CREATED', 1), notify(number, 'EX-HUB', 2), notify(number, 'EX-HUB', 2));
    }
    for (const number of numbers) {
      await flushAll(number, ['applied', 'applied', 'duplicate']);
    }
    const before = await everything(numbers);
    const [reported, said] = [await flow.inLog('notifications'), await flow.inLog('journey')];
    const projector = await flow.projector(freshGroup());
    const writer = await flow.writer(freshGroup());
    await expect.poll(projector.handled, WAIT).toBe(reported);
    await expect.poll(writer.handled, WAIT).toBe(reported + said);
    await Promise.all([projector.stop(), writer.stop()]);
    expect(await flow.inLog('journey')).toBe(said);
    expect(await everything(numbers)).toEqual(before);
  }, 60_000);
});

describe('A projector that dies after its facts are in the log and before it records them', () => {
  it('says the same again, which readers take as once', async () => {
    const [projector, ...others] = workers;
    await projector?.stop();
    const doomed = await flow.projector(GROUP, {
      putJourneys: () => Promise.reject(new Error('dies here')),
    });
    const number = fresh();
    const inLog = await flow.inLog('journey');
    await push(notify(number, 'EX-CREATED', 1), notify(number, 'EX-DELIVERED', 2), notify(number, '0114', 3));
    expect(await doomed.crash).toMatchObject({ message: 'dies here' });
    const said = await flow.inLog('journey') - inLog;
    expect(said).toBeGreaterThan(0);

    workers = [await flow.projector(GROUP), ...others];
    await expect.poll(async () => (await flow.states.shipments.find(number))?.state, WAIT)
      .toMatchObject({ status: 'delivered', final: true });
    await expect.poll(() => flow.inLog('journey'), WAIT).toBe(inLog + said + 3);
    await push(notify(number, 'EX-HUB', 4));
    const wanted = ['applied', 'applied', 'ignored_after_final', 'ignored_after_final'];
    await flushAll(number, wanted);
    expect((await flow.history.journey(ofCarrier(number), undefined, 100)).entries
      .map(({ outcome }) => outcome)).toEqual(wanted);
    expect(await rowsOf('v_shipment_last', number))
      .toMatchObject([{ status: 'delivered', notifications: '4', ignored: '2' }]);
  }, 60_000);
});
