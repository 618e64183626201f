import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { shipmentCommand } from '../../../services/cli/inspect/shipment-command.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const AT_MS = 1_800_000_000_000;
const AUTHORIZED = {
  type: 'ShipmentAuthorized', client_id: 'c1', transport_order_id: 'o1', shipment_id: '41',
  carrier_client_id: 'carrier-1', epoch: 1, tracking_number: 'N1', asks_secret_word: false,
  answer: {}, request: { shipment_information: { receiver: { full_name: 'Maria Silva' } } },
  at_ms: AT_MS,
};
const DELIVERED = {
  status: 'delivered', code: '0100', carrier_code: 'x', final: true, occurred_at_ms: AT_MS,
};

let log: LogRecord[];
beforeEach(() => { log = []; });

function append(topic: string, key: string, value: object): void {
  log.push(aLogRecord(topic, log.length, value, { key }));
}

function appendJourney(
  offset: number, outcome: string, state: object | undefined = DELIVERED,
): void {
  append(TOPICS.journey.name, 'N1', {
    type: 'JourneyRecorded', tracking_number: 'N1', code: '0100', outcome, rule: 'first',
    source: 'push', received_at_ms: AT_MS, carrier: 'carrier-1', state,
    notification: { topic_id: 'N', partition: 0, offset },
  });
}

function shipment(stored: object | undefined, ...args: string[]) {
  return shipmentCommand({
    ...fakeWatchedLog(log),
    log: fakeRecordLog(), clock: { nowMs: () => AT_MS },
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    inspectState: (inspect) => inspect({
      devices: { load: () => Promise.resolve(undefined) },
      lastFixes: { find: () => Promise.resolve(undefined) },
      shipments: { find: () => Promise.resolve(stored as never) },
      refusals: { find: () => Promise.resolve([]) },
    }),
  }, args);
}

const STORED = {
  platform_client_id: 'platform-1', carrier_client_id: 'carrier-1', state: DELIVERED,
};

describe('rastro shipment', () => {
  it.each([[['n1']], [['--order', 'o1']]])('shows authorization, carrier, status and journey of %j', async (
    args,
  ) => {
    append(TOPICS.authorizations.name, 'o1', AUTHORIZED);
    append(TOPICS.authorizations.name, 'o2', { ...AUTHORIZED, transport_order_id: 'o2', tracking_number: 'N2' });
    appendJourney(1, 'applied');
    appendJourney(2, 'ignored_after_final');
    appendJourney(2, 'ignored_after_final');
    const { value, lines, exitCode } = await shipment(STORED, ...args);
    expect(value).toMatchObject({
      tracking_number: 'N1', transport_order_id: 'o1', carrier: 'carrier-1', status: 'delivered',
      final: true, ignored_after_final: 1, notifications: 2,
      authorizations: [{ fact: 'ShipmentAuthorized', epoch: 1 }],
      journey: [{ outcome: 'applied' }, { outcome: 'ignored_after_final' }],
      state: { kind: 'seen', status: 'delivered' }, problems: [],
    });
    expect(exitCode).toBe(0);
    expect(`${lines.join()}${JSON.stringify(value)}`).not.toContain('Maria');
  });

  it('ends with 1 when the state store says another status than the log', async () => {
    appendJourney(1, 'applied');
    const { lines, exitCode } = await shipment({ ...STORED, state: undefined }, 'n1');
    expect(lines.at(-1)).toContain('differ in its status');
    expect(exitCode).toBe(1);
  });

  it('ends with 1 for an order that its carrier did not take', async () => {
    append(TOPICS.authorizationCalls.name, 'o1', {
      type: 'AuthorizationAsked', call_id: 'a1', carrier: 'p1', round: 1, at_ms: AT_MS,
    });
    append(TOPICS.authorizationCalls.name, 'o1', {
      type: 'AuthorizationTried', call_id: 'a1', carrier: 'p1', outcome: 'parked', at_ms: AT_MS,
    });
    const { value, exitCode } = await shipment(undefined, '--order', 'o1');
    expect(value).toMatchObject({
      calls: [{ call_id: 'a1', last: 'parked' }],
      problems: [expect.stringContaining('rastro authorization show a1')],
    });
    expect(exitCode).toBe(1);
  });

  it('ends with 1 for an unknown number', async () => {
    expect(await shipment(undefined, 'n9')).toMatchObject({
      exitCode: 3, value: { problems: ['The log knows nothing of it.'] },
    });
  });

  it('shows the last entries only, as many as were asked for', async () => {
    for (const offset of [1, 2, 3]) appendJourney(offset, 'applied');
    const { value } = await shipment(STORED, 'n1', '--entries', '2');
    expect(value).toMatchObject({ notifications: 3, journey: [{}, {}] });
    expect((value as { journey: unknown[] }).journey).toHaveLength(2);
  });

  it.each([[[]], [['n1', '--order', 'o1']], [['n1', 'n2']], [['n1', '--entries', 'x']]])(
    'refuses %j', async (args) => {
      expect((await shipment(undefined, ...args)).exitCode).toBe(2);
    },
  );
});
