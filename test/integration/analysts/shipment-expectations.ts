import { expect } from 'vitest';
import { text, type Expectation } from './expectations.ts';
import { AUTHORIZED, MOVES, type Move } from './shipment-moves.ts';
import { greatest, median, near, tally } from './reckoning.ts';
import { START_TS } from './tracks.ts';

const UNTIL_S = START_TS + 4 * 86_400;
const HOURS = 40;
const window = { since: text(START_TS), until: text(UNTIL_S) };

const byShipment = Map.groupBy(MOVES, ({ tracking_number }) => tracking_number);
const applied = MOVES.filter(({ event }) => event.outcome === 'applied');
const hours = (seconds: number): number => seconds / 3_600;
const estimateOf = ({ payload }: Move): number | undefined => (
  payload.estimated_delivery_date === undefined
    ? undefined : Date.parse(payload.estimated_delivery_date) / 1_000
);
const estimates = (moves: readonly Move[]): readonly number[] => (
  moves.map(estimateOf).filter((each) => each !== undefined)
);
const deliveries = applied.filter(({ event }) => event.state?.status === 'delivered');
const unfinished = [...byShipment.entries()]
  .filter(([, moves]) => moves.at(-1)?.event.state?.final !== true);
const lastReceived = (moves: readonly Move[]): number => greatest(
  moves.map(({ received_s }) => received_s),
);

/** What the queries about shipments must say of the shipments of the test. */
export const OF_SHIPMENTS: Readonly<Record<string, Expectation>> = {
  'standing-shipments': {
    parameters: { hours: HOURS, ...window },
    check: (rows) => {
      const standing = unfinished
        .filter(([, moves]) => lastReceived(moves) < UNTIL_S - HOURS * 3_600);
      expect(rows.map(({ tracking_number }) => tracking_number))
        .toEqual(standing.map(([number]) => number));
      expect(rows).toHaveLength(2);
      near(rows[0]?.['silent_hours'], hours(UNTIL_S - lastReceived(standing[0]?.[1] ?? [])));
      expect(rows).toMatchObject([{ status: 'out_for_delivery' }, { status: 'out_for_delivery' }]);
    },
  },
  'late-deliveries': {
    parameters: window,
    check: (rows) => {
      const late = Map.groupBy(deliveries, ({ client }) => client);
      expect(rows).toHaveLength(3);
      for (const { carrier, deliveries: count, in_time, ...row } of rows) {
        const own = (late.get(String(carrier)) ?? []).map((move) => hours(
          move.at_s - (estimates(byShipment.get(move.tracking_number) ?? []).at(-1) ?? 0),
        ));
        expect([count, in_time])
          .toEqual([String(own.length), String(own.filter((each) => each <= 0).length)]);
        near(row['median_late_hours'], median(own.map((each) => Math.max(each, 0))));
        near(row['most_late_hours'], Math.max(greatest(own), 0));
      }
      expect(rows.some(({ percent_in_time }) => Number(percent_in_time) < 100)).toBe(true);
    },
  },
  'overdue-shipments': {
    parameters: window,
    check: (rows) => {
      const overdue = unfinished
        .map(([number, moves]): [string, number] => [number, estimates(moves).at(-1) ?? 0])
        .toSorted(([, one], [, other]) => one - other);
      expect(rows.map(({ tracking_number, estimated_at }) => [tracking_number, estimated_at]))
        .toEqual(overdue.map(([number, estimate]) => [number, `${text(estimate)}.000`]));
      expect(rows).toHaveLength(2);
      near(rows[0]?.['late_hours'], hours(UNTIL_S - (overdue[0]?.[1] ?? 0)));
    },
  },
  'changed-estimates': {
    parameters: window,
    check: (rows) => {
      for (const { client_id, shipments, changed, mean_moved_hours } of rows) {
        const own = [...byShipment.values()].filter(([first]) => first?.client === client_id)
          .map(estimates);
        const moved = own.filter((each) => new Set(each).size > 1);
        expect([shipments, changed]).toEqual([String(own.length), String(moved.length)]);
        near(mean_moved_hours, hours((moved[0]?.at(-1) ?? 0) - (moved[0]?.[0] ?? 0)));
      }
      expect(rows).toHaveLength(3);
    },
  },
  'time-in-status': {
    parameters: window,
    check: (rows) => {
      const waits = [...byShipment.values()].flatMap((moves) => {
        const entries = moves.filter(({ event }) => (
          event.outcome === 'applied' && event.state?.status !== event.status_before
        ));
        return entries.slice(1).map((next, n) => ({
          status: entries[n]?.event.state?.status,
          hours: hours(next.at_s - (entries[n]?.at_s ?? 0)),
        }));
      });
      expect(rows.map(({ status, times }) => [status, Number(times)]).toSorted())
        .toEqual([...tally(waits.map(({ status }) => status))].toSorted());
      for (const row of rows) {
        const own = waits.filter(({ status }) => status === row['status'])
          .map((each) => each.hours);
        near(row['median_hours'], median(own));
        near(row['most_hours'], greatest(own));
      }
    },
  },
  'authorized-and-never-notified': {
    parameters: { ...window, since: text(START_TS - 86_400) },
    check: (rows) => {
      expect(rows.map(({ tracking_number }) => tracking_number).toSorted())
        .toEqual(AUTHORIZED.filter(({ tracking_number, isCancelled }) => (
          !byShipment.has(tracking_number) && !isCancelled
        )).map(({ tracking_number }) => tracking_number));
      expect(rows).toHaveLength(2);
    },
  },
  'proofs-of-delivery': {
    parameters: window,
    check: (rows) => {
      const all = tally(deliveries.map(({ client }) => client));
      const shown = deliveries.filter(({ picture }) => picture !== undefined);
      const unknown = tally(shown.filter(({ picture }) => picture === 'unknown')
        .map(({ client }) => client));
      expect(new Map(rows.map(({ carrier, with_picture, deliveries: count, of_unknown_kind }) => (
        [carrier, [count, with_picture, of_unknown_kind].map(Number)]
      )))).toEqual(new Map([...all].map(([client, count]) => [client, [
        count, shown.filter((move) => move.client === client).length, unknown.get(client) ?? 0,
      ]])));
    },
  },
  'failure-reasons': {
    parameters: { status: 'delivery_failed', ...window },
    check: (rows) => {
      const failed = applied.filter(({ event }) => event.code === 'EX-FAILED');
      expect(new Map(rows.map(({ carrier, reason, notifications }) => (
        [`${String(carrier)} ${String(reason)}`, Number(notifications)]
      )))).toEqual(tally(failed.map(({ client, payload }) => `${client} ${payload.reason ?? ''}`)));
      expect(rows.length).toBeGreaterThan(1);
    },
  },
  'shipment-costs': {
    parameters: window,
    check: (rows) => {
      const costs = Map.groupBy(
        MOVES.filter(({ payload }) => payload.cost !== undefined), ({ client }) => client,
      );
      expect(rows).toHaveLength(costs.size);
      for (const { client_id, shipments, cost, kilograms, cost_per_kilogram } of rows) {
        const own = costs.get(String(client_id)) ?? [];
        const total = own.reduce((sum, { payload }) => sum + (payload.cost ?? 0), 0);
        const weight = own.reduce((sum, { payload }) => sum + (payload.dimensions?.weight ?? 0), 0);
        expect(shipments).toBe(String(own.length));
        near(cost, total);
        near(kilograms, weight / 1_000);
        near(cost_per_kilogram, total / weight * 1_000);
      }
    },
  },
  'shipments-between-cities': {
    parameters: { ...window, since: text(START_TS - 86_400) },
    check: (rows) => {
      expect(new Map(rows.map(({ sender_city, receiver_city, shipments }) => (
        [`${String(sender_city)} to ${String(receiver_city)}`, Number(shipments)]
      )))).toEqual(tally(AUTHORIZED.map(({ from, to }) => `${from} to ${to}`)));
      expect(rows.reduce((sum, { cancelled }) => sum + Number(cancelled), 0)).toBe(1);
    },
  },
  'unmapped-codes': {
    parameters: window,
    check: (rows) => {
      const unknown = MOVES.filter(({ event }) => event.unmapped);
      expect(new Map(rows.map(({ client_id, code, shipments }) => (
        [`${String(client_id)} ${String(code)}`, Number(shipments)]
      )))).toEqual(tally(unknown.map(({ client, event }) => `${client} ${event.code}`)));
      expect(rows).toMatchObject([{ carrier_code: 'own-XX-SORTED' }, {}, {}].slice(0, rows.length));
      expect(rows.length).toBeGreaterThan(1);
    },
  },
  'missing-fields': {
    parameters: window,
    check: (rows) => {
      const lacking = MOVES.flatMap(({ client, event }) => (
        (event.lacks ?? []).map((field) => `${client} ${event.code} ${field}`)
      ));
      expect(new Map(rows.map(({ client_id, code, field, notifications }) => (
        [`${String(client_id)} ${String(code)} ${String(field)}`, Number(notifications)]
      )))).toEqual(tally(lacking));
      expect(rows).toMatchObject([{ field: '/payload/reason' }]);
    },
  },
  'disputed-numbers': {
    parameters: window,
    check: (rows) => {
      const disputed = MOVES.filter(({ event }) => event.outcome === 'disputed');
      expect(rows.map(({ tracking_number, owner, claimed_by, notifications }) => (
        [tracking_number, owner, claimed_by, notifications]
      ))).toEqual(disputed.map(({ tracking_number, client }) => (
        [tracking_number, byShipment.get(tracking_number)?.[0]?.client, [client], '1']
      )));
      expect(rows).toHaveLength(2);
    },
  },
  'notification-delay': {
    parameters: window,
    check: (rows) => {
      const delays = Map.groupBy(MOVES, ({ client }) => client);
      expect(rows).toHaveLength(delays.size);
      for (const { client_id, from_the_future, median_s, most_s } of rows) {
        const own = (delays.get(String(client_id)) ?? [])
          .map((move) => move.received_s - move.at_s);
        near(median_s, median(own));
        near(most_s, greatest(own));
        expect(from_the_future).toBe(String(own.filter((each) => each < 0).length));
      }
      expect(rows.some(({ from_the_future }) => from_the_future === '1')).toBe(true);
    },
  },
};
