import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SchemaRefused } from '../../../services/adapters/registry/client.ts';
import { openRecordSchemas } from '../../../services/adapters/registry/schemas.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

const DEADLINE_MS_MAX = 10_000;
const soon = (): number => wallClock.nowMs() + DEADLINE_MS_MAX;

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Fix',
  type: 'object',
  required: ['latitude'],
  properties: {
    latitude: { type: 'number', minimum: -90, maximum: 90 },
    at: { type: 'string', format: 'date-time' },
  },
};

function open(url: string = stackEnv().SCHEMA_REGISTRY_URL) {
  return openRecordSchemas(
    { url, clientId: 'test', requestMsMax: 2_000 },
    { clock: wallClock, signals: silentSignals },
  );
}

function record(schemaId: number, value: string): LogRecord {
  return {
    topic: 't', topicId: 'id', partition: 0, offset: 0n, key: 'k', value: Buffer.from(value),
    schemaId, headers: {}, timestampMs: 0,
  };
}

const named = (schema: Readonly<Record<string, unknown>> = SCHEMA) => {
  const topic = `test_${randomUUID()}`;
  return { topic, subject: `${topic}-value`, schema };
};

/** What the registry itself says, without our client. */
async function ask(path: string, method: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${stackEnv().SCHEMA_REGISTRY_URL}/${path}`, {
    method,
    ...(body === undefined ? {} : {
      body: JSON.stringify(body), headers: { 'content-type': 'application/json' },
    }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

describe('the schemas of records', () => {
  it('get one id, in every process and as often as they are registered', async () => {
    const entry = named();
    const [first, second] = [open(), open()];
    await first.register([entry], soon());
    await first.register([entry], soon());
    await second.register([entry], soon());
    expect(first.schemaIdOf(entry.topic)).toBeGreaterThan(0);
    expect(second.schemaIdOf(entry.topic)).toBe(first.schemaIdOf(entry.topic));
  });

  it('get one id also when many processes register a new subject at once', async () => {
    const entries = Array.from({ length: 2 }, () => named());
    const processes = Array.from({ length: 4 }, () => open());
    await Promise.all(processes.map((each) => each.register(entries, soon() + DEADLINE_MS_MAX)));
    for (const { topic } of entries) {
      expect(new Set(processes.map((each) => each.schemaIdOf(topic))).size).toBe(1);
    }
  });

  it('are refused when old records would not follow the new one', async () => {
    const entry = named();
    const schemas = open();
    await schemas.register([entry], soon());
    const stricter = { ...SCHEMA, required: ['latitude', 'at'] };
    await expect(schemas.register([{ ...entry, schema: stricter }], soon()))
      .rejects.toBeInstanceOf(SchemaRefused);
    const looser = { ...SCHEMA, required: [] };
    await schemas.register([{ ...entry, schema: looser }], soon());
  });

  it('are registered also where a registration before broke off half way', async () => {
    const entry = named();
    const { $schema: _, ...schema } = SCHEMA;
    await ask(`subjects/${entry.subject}/versions`, 'POST', {
      schemaType: 'JSON', schema: JSON.stringify(schema),
    });
    expect(await ask(`config/${entry.subject}`, 'GET')).toEqual({ compatibilityLevel: 'NONE' });
    const schemas = open();
    await schemas.register([entry], soon());
    expect(await ask(`config/${entry.subject}`, 'GET')).toEqual({ compatibilityLevel: 'BACKWARD' });
    const stricter = { ...SCHEMA, required: ['latitude', 'at'] };
    await expect(schemas.register([{ ...entry, schema: stricter }], soon()))
      .rejects.toBeInstanceOf(SchemaRefused);
  });

  it('are refused at once where the subject has another rule, which stays', async () => {
    const entry = named();
    await open().register([entry], soon());
    await ask(`config/${entry.subject}`, 'PUT', { compatibility: 'FULL' });
    await expect(open().register([entry], soon())).rejects.toBeInstanceOf(SchemaRefused);
    expect(await ask(`config/${entry.subject}`, 'GET')).toEqual({ compatibilityLevel: 'FULL' });
  });

  it('with a choice may grow a branch and an optional field, and lose nothing', async () => {
    const branch = (type: string, more: object = {}) => ({
      type: 'object', additionalProperties: false, required: ['type'],
      properties: { type: { const: type, type: 'string' }, ...more },
    });
    const choice = (...oneOf: object[]) => ({
      title: 'Facts', type: 'object', required: ['type'],
      properties: { type: { type: 'string' } }, oneOf,
    });
    const entry = named(choice(branch('Begun'), branch('Ended')));
    const schemas = open();
    await schemas.register([entry], soon());
    const began = schemas.schemaIdOf(entry.topic);
    const grown = choice(branch('Begun', { remark: { type: 'string' } }), branch('Ended'),
      branch('Paused'));
    await schemas.register([{ ...entry, schema: grown }], soon());
    const later = schemas.schemaIdOf(entry.topic);
    expect(later).not.toBe(began);
    const paused = JSON.stringify({ type: 'Paused' });
    expect((await open().inspect(record(later, paused))).ok).toBe(true);
    expect((await open().inspect(record(began, paused))).ok).toBe(false);
    const shrunk = choice(branch('Begun', { remark: { type: 'string' } }));
    await expect(schemas.register([{ ...entry, schema: shrunk }], soon()))
      .rejects.toBeInstanceOf(SchemaRefused);
  });

  it('say which records follow them, in a process that did not register them', async () => {
    const entry = named();
    const writer = open();
    await writer.register([entry], soon());
    const id = writer.schemaIdOf(entry.topic);
    const reader = open();
    expect(await reader.inspect(record(id, '{"latitude":1.5}')))
      .toEqual({ ok: true, value: { latitude: 1.5 } });
    expect(await reader.inspect(record(id, '{"latitude":91}')))
      .toEqual({ ok: false, code: 'record_invalid', faults: ['/latitude'] });
    expect(await reader.inspect(record(id, '{"latitude":1,"at":"yesterday"}')))
      .toMatchObject({ ok: false, code: 'record_invalid' });
    expect(await reader.inspect(record(id, '{')))
      .toMatchObject({ ok: false, code: 'undecodable' });
  });

  it('of an older and a newer release are read by both, each in its own form', async () => {
    const older = named({ ...SCHEMA, additionalProperties: false });
    const properties = { ...SCHEMA.properties, remark: { type: 'string' } };
    const newer = { ...older, schema: { ...older.schema, properties } };
    const [first, second, restarted] = [open(), open(), open()];
    await first.register([older], soon());
    await second.register([newer], soon());
    // The older release starts again beside the newer one and finds its own schema.
    await restarted.register([older], soon());
    const [oldId, newId] = [first, second].map((release) => release.schemaIdOf(older.topic));
    expect(restarted.schemaIdOf(older.topic)).toBe(oldId);
    const written = { ...record(newId ?? 0, '{"latitude":1.5,"remark":"new"}'), topic: older.topic };
    expect([restarted.isOwn(older.topic, newId ?? 0), second.isOwn(older.topic, newId ?? 0)])
      .toEqual([false, true]);
    const read = await restarted.read(written);
    expect(read.ok && JSON.parse(read.record.value.toString())).toEqual({ latitude: 1.5 });
    const old = { ...record(oldId ?? 0, '{"latitude":2}'), topic: older.topic };
    const up = await second.read(old);
    expect(up.ok && up.record).toBe(old);
    // An older schema says nothing that ours does not know: no record is asked about again.
    expect([second.isOwn(older.topic, oldId ?? 0), restarted.isOwn(older.topic, newId ?? 0)])
      .toEqual([true, false]);
    // What the writer's own schema refuses is a dead letter, not cut into shape.
    expect(await restarted.read({ ...written, value: Buffer.from('{"latitude":1,"more":2}') }))
      .toMatchObject({ ok: false, code: 'record_invalid' });
  });

  it('are unknown when the registry says so', async () => {
    expect(await open().inspect(record(2_000_000_000, '{}')))
      .toEqual({ ok: false, code: 'schema_unknown', faults: [] });
  });

  it('are no verdict about a record while the registry does not answer', async () => {
    await expect(open('http://127.0.0.1:1/apis/ccompat/v7').inspect(record(1, '{}')))
      .rejects.toMatchObject({ code: 'registry_unavailable' });
  });

  it('keep a boot waiting for the registry no longer than its deadline', async () => {
    const startedMs = wallClock.nowMs();
    await expect(open('http://127.0.0.1:1').register([named()], startedMs + 700))
      .rejects.toMatchObject({ code: 'registry_unavailable', stage: 'boot' });
    expect(wallClock.nowMs() - startedMs).toBeLessThan(3_000);
  });

  it('have no id before they are registered', () => {
    expect(() => open().schemaIdOf('rtt.locations.v1')).toThrow(RangeError);
  });
});
