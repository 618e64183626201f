import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../schemas/bundles.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { openKafka } from '../../../services/adapters/kafka/open.ts';
import { openRecordSchemas } from '../../../services/adapters/registry/schemas.ts';
import { isDecoded, type LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { CHOSEN_CLIENT, wallClock } from '../../support/kafka-logs.ts';
import { newActor } from '../../support/platform-actor.ts';
import { rebuildRedisAt } from '../../support/platform-operator.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';

const TOPIC = TOPICS.deviceLifecycle;
const APPEND_MS_MAX = 15_000;

/** The schema of a release whose registrations have one optional field more. */
function grown(): Readonly<Record<string, unknown>> {
  const [registered, ...others] = bundleOf(TOPIC.record)['oneOf'] as { properties: object }[];
  const properties = { ...registered?.properties, firmware: { type: 'string' } };
  return { ...bundleOf(TOPIC.record), oneOf: [{ ...registered, properties }, ...others] };
}

/** Appends a record as a gateway of that release would. */
async function appendByNewer({ env }: TestEnv, record: LogRecord, value: object): Promise<void> {
  const schemas = openRecordSchemas(
    { url: env.SCHEMA_REGISTRY_URL, clientId: 'newer', requestMsMax: 5_000 },
    { clock: wallClock, signals: silentSignals },
  );
  await schemas.register(
    [{ topic: TOPIC.name, subject: TOPIC.subject, schema: grown() }],
    wallClock.nowMs() + APPEND_MS_MAX,
  );
  const log = openKafka({
    client: CHOSEN_CLIENT,
    brokers: env.KAFKA_BROKERS.split(','), clientId: 'newer', topics: [TOPIC],
  }, {
    signals: silentSignals, clock: wallClock, schemaIdOf: (topic) => schemas.schemaIdOf(topic),
  });
  try {
    await log.recordLog.append({
      topic: TOPIC.name, key: record.key, headers: record.headers,
      value: Buffer.from(JSON.stringify(value)),
    }, wallClock.nowMs() + APPEND_MS_MAX);
  } finally {
    await log.close(wallClock.nowMs() + APPEND_MS_MAX);
  }
}

/** Gateways of a newer release write beside workers of this one. */
export function releasesSuite(at: () => TestEnv): void {
  describe('a newer release beside this one', () => {
    it('[GEN-37] has its records applied and stored, and applied again by a rebuild', async () => {
      const actor = await newActor(at(), '--scope', 'rtt:devices,rtt:locations,query:read');
      const known = String((await actor.register()).body['id']);
      const found: LogRecord[] = [];
      await at().log.reader.readToEnd([TOPIC.name], async (records) => {
        found.push(...records.filter(isDecoded).filter(({ key }) => key === known));
      });
      const [record] = found;
      if (record === undefined) throw new Error('The log has no registration.');
      const device = randomUUID();
      const { personal: _, ...fact } = JSON.parse(record.value.toString()) as { personal?: object };
      await appendByNewer(at(), { ...record, key: device }, {
        ...fact, device_id: device, entity_hash: randomBytes(32).toString('hex'), firmware: '2.1',
      });

      const started = async () => (await actor.start(device)).status;
      await eventually('The device in the state store', async () => await started() !== 404);
      expect(await started()).toBe(208);
      expect((await actor.send(device)).status).toBe(202);
      await eventually('The device in the tables', async () => (await at().query(
        'SELECT device_id FROM v_devices WHERE device_id = {device:String}', { device },
      )).length === 1);

      // Removes what the log brings back: the erasures after this compare every hash.
      await rebuildRedisAt(at());
      await eventually('The gateways after the rebuild', async () => await started() !== 500);
      expect(await started()).toBe(208);
      expect(await at().recordsIn('dead-letters.v1')).toBe(0n);
    }, 120_000);
  });
}
