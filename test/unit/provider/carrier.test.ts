import { describe, expect, it } from 'vitest';
import type { CancellationRequest, Notification } from '../../../schemas/generated/types.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { runCarrier } from '../../../services/provider/carrier/carrier.ts';
import { readJourneys } from '../../../services/provider/carrier/journeys.ts';
import { planCancelled, planShipment } from '../../../services/provider/carrier/plan.ts';
import type { Deliver, Delivery } from '../../../services/provider/client/deliver.ts';
import { createRequests } from '../../../services/provider/client/requests.ts';
import { createLedger } from '../../../services/provider/ledger/ledger.ts';
import type { LedgerLine } from '../../../services/provider/ledger/lines.ts';
import type { OutgoingRequest } from '../../../services/provider/ports.ts';
import { CATALOGUE } from '../../support/journeys.ts';
import { createVirtualClock } from './virtual-clock.ts';

const NOW_MS = 1_764_000_000_000;
const SHIPMENTS = 8;
const schemas = loadSchemas();
const journeys = readJourneys();

/** A platform that takes all, or answers as a test says. */
function env(answer: (path: string) => Delivery['outcome'] = () => 'accepted') {
  const calls: { path: string; body: unknown }[] = [];
  const lines: LedgerLine[] = [];
  const clock = createVirtualClock(NOW_MS);
  const deliver: Deliver = async ({ path, body: sent }: OutgoingRequest) => {
    calls.push({ path, body: JSON.parse(String(sent)) as unknown });
    const body = JSON.stringify({ tracking_number: `RS${calls.length}` });
    return {
      outcome: answer(path), tries: 1, mayHaveBeenTaken: false,
      reply: { kind: 'answer', status: 200, headers: {}, body },
    };
  };
  const ledger = createLedger('run', clock, (line) => lines.push(line));
  const carrier = runCarrier({
    run: 'run', shipments: SHIPMENTS, startSpreadMs: 1_000, stepMs: 100, isEndless: false,
    refusedWaitMs: 1_000,
  }, {
    authorize: deliver, notify: deliver, ledger, clock, abandon: new AbortController().signal,
    requests: createRequests({ provider: 'acme', country_id: 'US' }),
  });
  const to = (part: string) => calls.filter(({ path }) => path.includes(part));
  return { carrier, ledger, lines, to, clock };
}

describe('recorded journeys', () => {
  it('are as many and as long as their origin says, each time with an offset', () => {
    expect(journeys.map((journey) => journey.length)).toEqual([10, 11, 8]);
    expect(journeys.flat().every(({ at_ms }) => Number.isSafeInteger(at_ms))).toBe(true);
    expect(new Date(journeys[0]?.[0]?.at_ms ?? 0).toISOString()).toBe('2014-01-03T05:00:00.000Z');
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'become notifications to a final code that the CATALOGUE knows, shipment %i',
    (number) => {
      const check = schemas.checkOf('NotificationsBody');
      const plan = planShipment(journeys[number % 3]!, number, NOW_MS);
      for (const call of plan) {
        const body = call.map(({ notification }) => ({ tracking_number: 'RS1', ...notification }));
        expect(check(body)).toBeUndefined();
      }
      const planned = plan.flat();
      const applied = planned.filter(({ outcome }) => outcome === 'applied');
      const last = CATALOGUE.codes.get(applied.at(-1)?.notification.code ?? '');
      expect(last?.final).toBe(true);
      for (const { notification } of planned) {
        expect(CATALOGUE.codes.has(notification.code)).toBe(true);
      }
      const outcomes = planned.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(1);
      expect(outcomes.includes('out_of_order')).toBe(number % 2 === 0);
      expect(outcomes.at(-1) === 'ignored_after_final').toBe(number % 4 === 0);
    },
  );

  it('end with a proof of delivery, or with a return where it was not delivered', () => {
    const endOf = (at: number) => planShipment(journeys[at]!, 1, NOW_MS).flat().at(-1);
    expect(endOf(0)?.notification.payload.proof_of_delivery?.image).toMatch(/^iVBOR/);
    expect(endOf(0)?.notification.payload.date).toBe(new Date(NOW_MS).toISOString());
    expect(endOf(2)?.notification.code).toBe('EX-RETURNED');
    expect(planCancelled(NOW_MS).at(-1)?.[0]?.notification.code).toBe('EX-CANCELLED');
  });
});

describe('the carrier of the reference provider', () => {
  it('authorizes by the schema, and pushes under the number that was answered',
    async () => {
      const { carrier, to, ledger } = env();
      await carrier.drain();
      const { shipments } = carrier.counts();
      expect(shipments).toBe(carrier.counts().shipments_ended);
      const check = schemas.checkOf('AuthorizationRequest');
      for (const { body } of to('/authorization')) expect(check(body)).toBeUndefined();
      expect(to('/authorization').length).toBeGreaterThanOrEqual(shipments);
      const numbers = to('/notifications').flatMap(({ body }) =>
        (body as Notification[]).map(({ tracking_number }) => tracking_number));
      expect(new Set(numbers).size).toBe(shipments);
      expect(ledger.counts().in_hand).toBe(0);
    });

  it('cancels one of eight for good, and another before it authorizes it again', async () => {
    const { carrier, to, clock } = env();
    await clock.wait(60_000);
    await carrier.drain();
    expect(carrier.counts()).toEqual({ shipments: SHIPMENTS, shipments_ended: SHIPMENTS });
    const cancelled = to('/cancellation').map(({ body }) => body as CancellationRequest);
    expect(cancelled.map(({ id }) => id)).toEqual(expect.arrayContaining(['run-3', 'run-7']));
    expect(to('/shipments/run-3/authorization')).toHaveLength(1);
    expect(to('/shipments/run-7/authorization')).toHaveLength(2);
  });

  it('has the answered tracking number in the ledger, and what must come of each push', async () => {
    const { carrier, lines, clock } = env();
    await clock.wait(60_000);
    await carrier.drain();
    const ends = lines.flatMap((line) => (line.line === 'end' ? line.items ?? [] : []));
    expect(ends.every((identity) => /^order-run-\d\|[12]\|authorized\|RS\d+$/.test(identity)))
      .toBe(true);
    expect(ends).toHaveLength(SHIPMENTS + 1);
    const pushed = lines.flatMap((line) =>
      (line.line === 'items' && line.kind === 'notifications' ? line.items : []));
    const outcomes = pushed.map((identity) => identity.split('|').at(-1));
    expect(new Set(outcomes))
      .toEqual(new Set(['applied', 'duplicate', 'out_of_order', 'ignored_after_final']));
  });

  it('pushes nothing about a shipment that was refused', async () => {
    const { carrier, to, clock } = env((path) =>
      (path.includes('/authorization') ? 'refused' : 'accepted'));
    await clock.wait(60_000);
    await carrier.drain();
    expect(to('/notifications')).toEqual([]);
    expect(carrier.counts()).toEqual({ shipments: SHIPMENTS, shipments_ended: 0 });
  });
});
