import { beforeEach, describe, expect, it } from 'vitest';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aCancellation, anAsk, anAuthorization, aTry, PLATFORM_CLIENT } from '../../support/authorization-facts.ts';
import { aLogRecord, anUndecodableRecord } from '../../support/fake-log-reader.ts';
import { memoryCalls, memoryFeeds, memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { readRecord } from '../../support/read-record.ts';

const TOPIC = 'shipment.authorizations.v1';
const CALLS = 'shipment.authorization-calls.v1';
const CARRIER = '100000000000077';

describe('The projection of authorizations', () => {
  let states: MemoryStates;
  let calls: ReturnType<typeof memoryCalls>;
  let feeds: ReturnType<typeof memoryFeeds>;
  let deadLetters: string[];
  let projector: LogHandler;

  beforeEach(() => {
    states = memoryStates();
    calls = memoryCalls(() => 0);
    feeds = memoryFeeds(() => 0);
    deadLetters = [];
    projector = createProjection('authorizations', POISON_FLOOD_LIMITS, {
      readRecord,
      ...states, authorizationCalls: calls, feeds, clock: { nowMs: () => 0 },
      signals: silentSignals,
      deadLetters: {
        write: async (record, stage, code) => {
          deadLetters.push(`${record.topic} ${record.offset} ${stage} ${code}`);
        },
      },
    });
  });

  it('applies authorizations, cancellations and calls, and commits them', async () => {
    const asked = anAsk('call-1');
    const authorized = anAuthorization('to', 2, { carrier_client_id: CARRIER });
    const committed = await projector.onRecords([
      aLogRecord(TOPIC, 1, anAuthorization('to')), aLogRecord(TOPIC, 2, aCancellation('to')),
      aLogRecord(TOPIC, 3, authorized), aLogRecord(CALLS, 7, asked),
      aLogRecord(CALLS, 8, aTry(asked, 1)),
    ]);
    expect(committed).toEqual([
      { topic: TOPIC, partition: 0, nextOffset: 4n },
      { topic: CALLS, partition: 0, nextOffset: 9n },
    ]);
    expect(await states.authorizations.load(PLATFORM_CLIENT, 'to'))
      .toMatchObject({ stage: 3, answer: authorized.answer });
    expect([...states.carriers()]).toEqual([[authorized.tracking_number, CARRIER]]);
    expect((await calls.load('call-1'))?.tried?.attempt).toBe(1);
  });

  it('[PULL-06] [PULL-09] opens the feed of a number that a carrier gave, until its cancellation', async () => {
    const asked = anAsk('call-1', { carrier: 'p-carrier' });
    const given = aTry(asked, 2, { outcome: 'authorized', tracking_number: ' RS-to-1 ' });
    const name = { carrier: 'p-carrier', tracking_number: 'RS-TO-1' };
    await projector.onRecords([
      aLogRecord(CALLS, 1, asked), aLogRecord(CALLS, 2, aTry(asked, 1)),
      aLogRecord(CALLS, 3, given),
      aLogRecord(CALLS, 4, { ...given, tracking_number: '\ud800', at_ms: given.at_ms + 1 }),
      aLogRecord(TOPIC, 1, anAuthorization('to')),
    ]);
    expect([...feeds.feedsDue('p-carrier')]).toEqual([['RS-TO-1', given.at_ms]]);
    expect(await feeds.load(name)).toMatchObject({
      spelling: 'RS-to-1', cancelled_at_ms: undefined,
    });
    const cancelled = aCancellation('to');
    await projector.onRecords([aLogRecord(TOPIC, 2, cancelled)]);
    expect(await feeds.load(name)).toMatchObject({ cancelled_at_ms: cancelled.at_ms });
  });

  it('[PULL-11] knows who authorized and who carries, of numbers given here and by carriers', async () => {
    const asked = anAsk('call-1', { carrier: 'p-carrier' });
    const own = anAuthorization('to', 1, { carrier_client_id: CARRIER });
    await projector.onRecords([
      aLogRecord(TOPIC, 1, own),
      aLogRecord(CALLS, 1, asked),
      aLogRecord(CALLS, 2, aTry(asked, 1, {
        outcome: 'authorized', tracking_number: 'theirs 1', platform_client_id: 'platform-9',
        carrier_client_id: 'carrier-9',
      })),
    ]);
    expect(await states.shipments.find(own.tracking_number)).toMatchObject({
      platform_client_id: PLATFORM_CLIENT, carrier_client_id: CARRIER,
    });
    expect(await states.shipments.find('THEIRS 1')).toMatchObject({
      platform_client_id: 'platform-9', carrier_client_id: 'carrier-9',
    });
  });

  it('leaves a refusal for people to read', async () => {
    await projector.onRecords([aLogRecord(TOPIC, 1, {
      type: 'AuthorizationRefused', client_id: PLATFORM_CLIENT, transport_order_id: 'to',
      shipment_id: '41', error_code: 'invalid_carrier_information.agency', test: false, at_ms: 1,
    })]);
    expect(await states.authorizations.load(PLATFORM_CLIENT, 'to')).toBeUndefined();
    expect(deadLetters).toEqual([]);
  });

  it.each([
    ['an authorization without an answer', TOPIC, { ...anAuthorization('to'), answer: undefined }],
    ['a cancellation without an epoch', TOPIC, { ...aCancellation('to'), epoch: 'x' }],
    ['a call in the topic of authorizations', TOPIC, anAsk('call-1')],
    ['an ask without a request', CALLS, { ...anAsk('call-1'), request: undefined }],
    ['a try of an unknown outcome', CALLS, { ...aTry(anAsk('c'), 1), outcome: 'perhaps' }],
    ['something else', CALLS, { type: 'Other' }],
  ])('dead-letters %s', async (_what, topic, value) => {
    await projector.onRecords([aLogRecord(topic, 3, value)]);
    expect(deadLetters).toEqual([`${topic} 3 consume record_invalid`]);
  });

  it('dead-letters what is in no frame', async () => {
    await projector.onRecords([anUndecodableRecord(TOPIC, 5)]);
    expect(deadLetters).toEqual([`${TOPIC} 5 consume undecodable`]);
  });
});
