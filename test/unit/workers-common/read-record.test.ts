import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { createNotificationReader } from '../../../services/workers/journey/read-notification.ts';
import { aCommand, aResult } from '../../support/command-facts.ts';
import { createCommandReader } from '../../../services/workers/common/read-command-record.ts';
import type { TopicKey } from '../../../services/workers/common/read-record.ts';
import { aLogRecord, anUndecodableRecord } from '../../support/fake-log-reader.ts';
import { aNotification } from '../../support/notifications.ts';
import { readRecord } from '../../support/read-record.ts';
import { aClient, aToken } from '../../support/state-facts.ts';

const CLIENTS = 'oauth.clients.v1';
const client = aClient();

describe('a record', () => {
  it('that follows the schema of its topic is its value', () => {
    expect(readRecord('clients')(aLogRecord(CLIENTS, 1, client)))
      .toEqual({ ok: true, value: client });
  });

  it.each([
    ['is in no frame', anUndecodableRecord(CLIENTS, 1), 'undecodable', /wire format/],
    ['is not JSON', aLogRecord(CLIENTS, 1, '{"type":'), 'record_invalid', /not JSON/],
    ['is a list', aLogRecord(CLIENTS, 1, [client]), 'record_invalid', /object/],
    ['lacks a field', aLogRecord(CLIENTS, 1, { ...client, name: undefined }),
      'record_invalid', /^\/name /],
    ['has a field of another type', aLogRecord(CLIENTS, 1, { ...client, version: '2' }),
      'record_invalid', /^\/version /],
    ['is wrong deep inside', aLogRecord(CLIENTS, 1, { ...client, secrets: [{ hash: 'x' }] }),
      'record_invalid', /^\/secrets\/0/],
    ['is of another topic', aLogRecord(CLIENTS, 1, aToken(client)), 'record_invalid', /^\//],
  ])('that %s is reported by code and pointer', (_what, record, code, detail) => {
    expect(readRecord('clients')(record)).toEqual({
      ok: false, poison: { stage: 'consume', code, detail: expect.stringMatching(detail) as string },
    });
  });

  it.each(Object.keys(TOPICS) as TopicKey[])('of %s has a reader', (topic) => {
    expect(readRecord(topic)(aLogRecord(TOPICS[topic].name, 1, { type: 'Nothing' })))
      .toMatchObject({ ok: false, poison: { code: 'record_invalid' } });
  });
});

describe('a provider command or its result', () => {
  const read = createCommandReader(readRecord);
  const command = aCommand('stop_tracking', 7);

  it.each([['commands'], ['command-results']])('is known by its name in the topic of %s', (kind) => {
    const topic = `provider.${kind}.v1`;
    for (const fact of [command, aResult(command)]) {
      expect(read(aLogRecord(topic, 1, fact))).toEqual({ ok: true, value: fact });
    }
  });

  it('says what is wrong by the schema of its name', () => {
    expect(read(aLogRecord('provider.commands.v1', 1, { ...aResult(command), fence: -1 })))
      .toMatchObject({ ok: false, poison: { detail: expect.stringMatching(/^\/fence /) as string } });
  });
});

describe('a notification', () => {
  const read = createNotificationReader(
    readRecord, (text) => createHash('sha256').update(text).digest('hex'),
  );
  const fact = { type: 'NotificationRecorded', notification: aNotification() };
  const record = (over: object = {}, headers: Record<string, string> = { client: '100000000000042' }) =>
    aLogRecord('shipment.notifications.v1', 1, { ...fact, ...over }, { key: 'RST1', headers });

  it('is read with its client and its date', () => {
    expect(read(record())).toMatchObject({
      ok: true, value: { client_id: '100000000000042', tracking_number: 'RST1' },
    });
  });

  it.each([
    ['without a client', record({}, {}), /client/],
    ['with a date that is no moment', record({
      notification: {
        ...fact.notification,
        payload: { ...fact.notification.payload, date: '2025-02-30T10:00:00Z' },
      },
    }), /^\/notification\/payload\/date /],
  ])('%s is refused, beyond the schema', (_what, bad, detail) => {
    expect(read(bad)).toMatchObject({
      ok: false,
      poison: { code: 'record_invalid', detail: expect.stringMatching(detail) as string },
    });
  });

  it('is read once, however often it is asked for', () => {
    const one = record();
    expect(read(one)).toBe(read(one));
    expect(read(record())).not.toBe(read(one));
  });

  it('has the same content whatever is sealed, also if that is there in clear', () => {
    const mac = 'a'.repeat(64);
    const [one, other] = ['c2VhbGVk'.repeat(9), 'YW5vdGhl'.repeat(9)];
    const hashOf = (sealed: string, hash = mac, code = one): unknown => {
      const reading = read(record({
        notification: { ...fact.notification, code },
        personal: { key: 'k'.repeat(16), mac: hash, sealed },
      }));
      return reading.ok ? reading.value.content_hash : reading.poison.detail;
    };
    expect(hashOf(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(one)).toBe(hashOf(other));
    expect(hashOf(one)).not.toBe(hashOf(one, 'b'.repeat(64)));
    expect(hashOf(one)).not.toBe(hashOf(one, mac, other));
  });
});
