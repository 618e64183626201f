import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTracer, type RunningTracer } from '../../../services/adapters/tracing/open-tracer.ts';
import { startTracing } from '../../../services/adapters/tracing/start-tracing.ts';
import { traceAppends, traceBatches, traceInserts }
  from '../../../services/adapters/tracing/trace-way.ts';
import { systemClock } from '../../../services/adapters/system/system.ts';
import type { LogHandler, LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals, type Signals } from '../../../services/kernel/signals.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { openEdge, type Edge } from '../../support/edge.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { nothingErased } from '../../support/nothing-erased.ts';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan }
  from '../../support/otlp-receiver.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';

const GROUP = 'rastro.table-writer';
const DEVICE = '0b54a7a0-6f4f-5f43-8f3c-3f2f3c1d2e4b';
const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
let receiver: OtlpReceiver;
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  receiver = await openOtlpReceiver();
  open = [receiver];
});
afterEach(async () => {
  for (const each of open.reverse()) await each.close();
});

function tracerOf(
  service: string, over: { ratio?: number; signals?: Signals } = {},
): RunningTracer {
  return openTracer(
    { service, endpoint: receiver.url, ratio: over.ratio ?? 1 },
    { signals: over.signals ?? silentSignals },
  );
}

async function edgeOf(tracer: RunningTracer): Promise<Edge> {
  const edge = await openEdge({ tracer });
  open.push({ close: () => edge.close() });
  return edge;
}

const body = (): string => JSON.stringify({
  device_id: DEVICE, post_timestamp: Math.floor(Date.now() / 1_000),
  locations: [{
    timestamp: Math.floor(Date.now() / 1_000), country_id: 'BR', latitude: 48.1, longitude: 11.5,
  }],
});

/** What the edge put into the log, as a consumer of the worker reads it. */
function recordsOf(edge: Edge): readonly LogRecord[] {
  return edge.log.appended.map(({ topic, key, bytes, headers }, at) => ({
    topic, topicId: 'id', partition: 0, offset: BigInt(at), key, value: Buffer.from(bytes),
    schemaId: 1, headers, timestampMs: Date.now(),
  }));
}

/** The table writer over a store that takes everything, put together as `assemble.ts` does. */
function writerOf(tracer: RunningTracer): LogHandler {
  const sink = traceInserts({ insert: async () => ({ kind: 'stored' }) }, tracer);
  return traceBatches(createTableWriter(TABLE_WRITER_LIMITS, {
    sink, clock: systemClock, signals: silentSignals,
    pending: {
      load: async () => new Map(), store: async () => undefined, clear: async () => undefined,
    },
    erased: nothingErased, breaker: memoryBreaker(), deadLetters: { write: async () => undefined },
  }), GROUP, tracer);
}

function named(name: string): ReceivedSpan {
  const found = receiver.spans.filter((span) => span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0] as ReceivedSpan;
}

describe('a trace', () => {
  it('leads from a post through the headers of its record to the insert, across processes', async () => {
    const [gateways, workers] = [tracerOf('gateways'), tracerOf('workers')];
    const edge = await edgeOf(gateways);
    expect((await edge.post(body())).status).toBe(202);
    await writerOf(workers).onRecords(recordsOf(edge));
    await Promise.all([gateways.close(), workers.close()]);

    const call = named('send-locations');
    const append = named('append rtt.locations.v1');
    const batch = named(`process ${GROUP}`);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(call).toMatchObject({ service: 'rastro-gateways', parentId: '' });
    expect(call.facts).toMatchObject({ 'http.response.status_code': '202', 'rastro.code': 'ok' });
    expect(append.parentId).toBe(call.spanId);
    expect(batch).toMatchObject({ service: 'rastro-workers', parentId: append.spanId, links: [] });
    expect(named('insert in_ingest_records').parentId).toBe(batch.spanId);
    expect(named('insert in_locations').parentId).toBe(batch.spanId);
    expect(receiver.spans).toHaveLength(5);
  });

  it('has one span for a batch, with links to the posts that came with the first', async () => {
    const [gateways, workers] = [tracerOf('gateways'), tracerOf('workers')];
    const edge = await edgeOf(gateways);
    for (let nth = 0; nth < 3; nth += 1) await edge.post(body());
    await writerOf(workers).onRecords(recordsOf(edge));
    await Promise.all([gateways.close(), workers.close()]);

    const [first, ...others] = receiver.spans.filter(({ name }) => name.startsWith('append '));
    const batch = named(`process ${GROUP}`);
    expect(batch).toMatchObject({ traceId: first?.traceId, parentId: first?.spanId });
    expect(batch.links).toEqual(others.map(({ traceId, spanId }) => ({ traceId, spanId })));
    expect(batch.facts['messaging.batch.message_count']).toBe('3');
  });

  it('begins at the edge: the trace of a caller is a link, and nonsense is nothing', async () => {
    const gateways = tracerOf('gateways');
    const edge = await edgeOf(gateways);
    const { traceId, spanId } = CALLER;
    await edge.post(body(), { headers: { traceparent: `00-${traceId}-${spanId}-01` } });
    await edge.post(body(), { headers: { traceparent: `00-${traceId}-nonsense-01` } });
    await gateways.close();
    const [reported, nonsense] = receiver.spans.filter(({ name }) => name === 'send-locations');
    expect(reported).toMatchObject({ parentId: '', links: [CALLER] });
    expect(reported?.traceId).not.toBe(traceId);
    expect(nonsense).toMatchObject({ parentId: '', links: [] });
  });

  it('shows no id of a device or client, and no token', async () => {
    const [gateways, workers] = [tracerOf('gateways'), tracerOf('workers')];
    const edge = await edgeOf(gateways);
    await edge.post(body());
    await writerOf(workers).onRecords(recordsOf(edge));
    await Promise.all([gateways.close(), workers.close()]);
    const reported = JSON.stringify(receiver.spans);
    for (const secret of [DEVICE, '100000000000042', 'tttttttt']) expect(reported).not.toContain(secret);
  });

  it('that is not recorded leaves no header in the log and no span anywhere', async () => {
    const [gateways, workers] = [tracerOf('gateways', { ratio: 0 }), tracerOf('workers')];
    const edge = await edgeOf(gateways);
    await edge.post(body());
    expect(edge.log.appended[0]?.headers).not.toHaveProperty('traceparent');
    await writerOf(workers).onRecords(recordsOf(edge));
    await Promise.all([gateways.close(), workers.close()]);
    expect(receiver.spans).toEqual([]);
  });

  it('is lost and counted where no collector answers, and the call is done all the same', async () => {
    const counted = { sent: 0, lost: 0 };
    const signals = fakeSignals({
      metric: (_name, value, { outcome }) => {
        counted[outcome === 'sent' ? 'sent' : 'lost'] += value;
      },
    });
    await receiver.close();
    open.shift();
    const gateways = tracerOf('gateways', { signals });
    const edge = await edgeOf(gateways);
    expect((await edge.post(body())).status).toBe(202);
    await gateways.close();
    expect(counted).toEqual({ sent: 0, lost: 2 });
  }, 20_000);
});

describe('without traces', () => {
  it('there is no tracer, and log, handler and sink are what they were', async () => {
    const settings = {
      RASTRO_TRACES: false, RASTRO_TRACES_RATIO: 1, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    };
    expect(await startTracing('gateways', settings, { signals: silentSignals })).toBeUndefined();
    const log = fakeRecordLog();
    expect(traceAppends(log, undefined)).toBe(log);
    const sink = { insert: async () => ({ kind: 'stored' } as const) };
    expect(traceInserts(sink, undefined)).toBe(sink);
  });

  it('a tracer is started where the setting says so', async () => {
    const tracer = await startTracing('gateways', {
      RASTRO_TRACES: true, RASTRO_TRACES_RATIO: 1, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    }, { signals: silentSignals });
    await tracer?.trace({ name: 'sample', kind: 'client' }, async () => undefined);
    await tracer?.close();
    expect(named('sample').service).toBe('rastro-gateways');
  });
});
