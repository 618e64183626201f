/**
 * CPU of the projector of devices for one record: without the schemas of writers, with records of
 * its own schema, and with those of another release, side by side in one run.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundleOf } from '../../schemas/bundles.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { openRecordSchemas, type RecordSchemas } from '../../services/adapters/registry/schemas.ts';
import type { LogRecord } from '../../services/kernel/record-log.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { readByWriter } from '../../services/workers/common/read-by-writer.ts';
import { commitOffsets } from '../../services/workers/common/outcomes.ts';
import {
  createFixApplier, createLifecycleApplier,
} from '../../services/workers/projector/devices/apply-device-records.ts';
import { PROJECTOR_LIMITS } from '../../services/workers/projector/projections.ts';
import { wallClock } from '../support/kafka-logs.ts';
import { aClient, aRegistration } from '../support/state-facts.ts';
import { readRecord } from '../support/read-record.ts';
import { bodiesOf } from './scan-cost/bodies.ts';
import { cpuSideBySide } from './scan-cost/rounds.ts';

const [OWN, OTHER] = [1, 2];
const RECORDS = 1_000;
const BATCHES = 10;
const LOCATIONS = 10;
const ANSWER_MS_MAX = 5_000;
const { locations, deviceLifecycle } = TOPICS;

/** A registry of one topic: ours has one id, that of the other release a field more. */
async function openSchemas(topic: typeof locations | typeof deviceLifecycle) {
  const own = bundleOf(topic.record);
  const branches = own['oneOf'] as readonly { readonly properties: object }[] | undefined;
  const other = branches === undefined ? own : {
    ...own,
    oneOf: branches.map((branch) => (
      { ...branch, properties: { ...branch.properties, more: { type: 'string' } } }
    )),
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.includes('/schemas/ids/') === true
      ? { schema: JSON.stringify(other), schemaType: 'JSON' }
      : { id: OWN, compatibilityLevel: 'BACKWARD' }));
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  const schemas = openRecordSchemas(
    { url: `http://127.0.0.1:${port}`, clientId: 'read-cost', requestMsMax: ANSWER_MS_MAX },
    { clock: wallClock, signals: silentSignals },
  );
  await schemas.register(
    [{ topic: topic.name, subject: topic.subject, schema: own }],
    wallClock.nowMs() + ANSWER_MS_MAX,
  );
  return { schemas, close: () => server.close() };
}

function aBatch(topic: string, values: readonly Buffer[], schemaId: number): LogRecord[] {
  return Array.from({ length: RECORDS }, (_, at) => ({
    topic, topicId: 'id', partition: 0, offset: BigInt(at), key: `device-${at}`, schemaId,
    value: values[at % values.length] ?? Buffer.alloc(0), timestampMs: 1_764_000_000_000,
    headers: {
      client: 'c', provider: 'acme', country: 'BR', 'received-at': '1764000100000',
    },
  }));
}

type Apply = ReturnType<typeof createFixApplier>;

function wayOf(apply: Apply, schemas: RecordSchemas | undefined, records: readonly LogRecord[]) {
  const worker = {
    onAssigned: () => Promise.resolve(), onRevoked: () => Promise.resolve(),
    onRecords: async (batch: Parameters<Apply>[0]) => {
      const outcomes = await apply(batch);
      if (outcomes.some(({ kind }) => kind === 'dead_letter')) throw new Error('A record was refused.');
      return commitOffsets(batch);
    },
  };
  const reading = schemas === undefined ? worker : readByWriter(worker, schemas);
  return async (): Promise<number> => {
    for (let batch = 0; batch < BATCHES; batch += 1) await reading.onRecords(records);
    return BATCHES * RECORDS;
  };
}

const nothing = (): Promise<void> => Promise.resolve();
const done: Apply = (records) => Promise.resolve(records.map((record) => (
  { kind: 'applied', record }
)));
const registration = aRegistration(aClient());
const kinds = [
  {
    what: 'any, by a worker that does nothing', topic: locations, apply: done,
    values: bodiesOf(1), others: [],
  },
  {
    what: `post of ${LOCATIONS} locations`, topic: locations,
    apply: createFixApplier(PROJECTOR_LIMITS, { offer: nothing } as never),
    values: bodiesOf(LOCATIONS), others: [['other id, no field more', bodiesOf(LOCATIONS)]],
  },
  {
    what: 'registration', topic: deviceLifecycle,
    apply: createLifecycleApplier({ apply: nothing } as never, readRecord),
    values: [Buffer.from(JSON.stringify(registration))],
    others: [
      ['newer id', [Buffer.from(JSON.stringify(registration))]],
      ['newer id, the new field sent', [Buffer.from(JSON.stringify({ ...registration, more: '1' }))]],
    ],
  },
] as const;

process.stdout.write('CPU in µs for a record, medians of interleaved rounds.\n\n'
  + '| record | read | µs | ratio |\n|---|---|---|---|\n');
for (const { what, topic, apply, values, others } of kinds) {
  const { schemas, close } = await openSchemas(topic);
  const own = aBatch(topic.name, values, OWN);
  const ways = [
    ['without', wayOf(apply, undefined, own)], ['own id', wayOf(apply, schemas, own)],
    ...others.map(([how, sent]) => (
      [how, wayOf(apply, schemas, aBatch(topic.name, sent, OTHER))] as const
    )),
  ] as const;
  const costs = await cpuSideBySide(ways.map(([, way]) => way));
  for (const [at, [how]] of ways.entries()) {
    const cost = costs[at] ?? 0;
    process.stdout.write(`| ${what} | ${how} | ${cost.toFixed(2)}`
      + ` | ${(cost / (costs[0] ?? 1)).toFixed(3)} |\n`);
  }
  close();
}
process.exit();
