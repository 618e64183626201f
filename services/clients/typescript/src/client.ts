import { LIST_CALLS, type ListCall } from './batches.ts';
import { CallRefused, SenderClosed } from './errors.ts';
import { createExchange, sendOnce, type Exchange } from './exchange.ts';
import { createGather } from './gather.ts';
import { DEFAULTS, type ClientOptions, type OtherCall, type Ports, type Reply } from './options.ts';
import { createMemoryOutbox, type Outbox } from './outbox.ts';
import { createPace } from './pace.ts';
import { MACHINE } from './ports.ts';
import { createRoom } from './room.ts';
import { createSender } from './sender.ts';
import { openSpool } from './spool.ts';
import { createTokenSource } from './token.ts';
import type { DeliveryHead, DeliveryFix, LocationFix, Receipt, TelemetryEvent } from './types.ts';

/** A provider's side of the interface, with the rules of its contract. */
export interface TrackingClient {
  /** Ends when the fixes are on the disk, or without a spool in the buffer. */
  sendLocations(deviceId: string, fixes: readonly LocationFix[]): Promise<void>;
  sendEvents(deviceId: string, events: readonly TelemetryEvent[]): Promise<void>;
  sendDeliveryLocations(delivery: DeliveryHead, fixes: readonly DeliveryFix[]): Promise<void>;
  /** Any other operation. Ends with a good answer; a refusal is a `CallRefused`. */
  call(call: OtherCall): Promise<Reply>;
  /** The receipt of an accepted batch once every item has its outcome. */
  receipt(ingestId: string): Promise<Receipt>;
  /** Ends when the gateway has answered everything. */
  flush(): Promise<void>;
  /** Ends when calls in flight have ended. What has no answer stays in the spool. */
  close(): Promise<void>;
}

const RECEIPT_FIRST_MS = 250;
const RECEIPT_REPEAT_MS_MAX = 5_000;
/** A 404 in the first seconds is no fault; later it is one. */
const RECEIPT_UNKNOWN_MS_MAX = 60_000;

/** Opens the spool, if there is one, and sends what it holds. */
export async function openClient(options: ClientOptions): Promise<TrackingClient> {
  const ports = { ...MACHINE, ...options.ports };
  const rates = { ...DEFAULTS.rates, ...options.rates };
  const ending = new AbortController();
  const exchange = exchangeOf(options, ports, ending.signal);
  const outbox = await outboxOf(options);
  const room = createRoom(options.spool === undefined
    ? options.bufferBytes ?? DEFAULTS.bufferBytes
    : options.spool.bytesMax ?? DEFAULTS.spoolBytes);
  let ended: SenderClosed | undefined;

  function end(cause?: unknown): void {
    ended ??= new SenderClosed('The sender has ended.', { cause });
    room.fail(ended);
    ending.abort(ended);
  }

  const sender = createSender({
    provider: options.provider, countryId: options.countryId,
    callsMax: options.callsMax ?? DEFAULTS.callsMax,
    deviceCallsPerSecond: rates.deviceCallsPerSecond,
    outbox, exchange, ports, signal: ending.signal,
    onFreed: (bytes) => { room.free(bytes); },
    onAccepted: options.onAccepted ?? (() => undefined),
    onRefused: options.onRefused,
    onFailed: end,
  });
  const gather = createGather({
    lingerMs: options.lingerMs ?? DEFAULTS.lingerMs, outbox, room, ports,
    onEntries: (entries) => { sender.add(entries); }, onFailed: end,
  });
  for (const { cost } of outbox.left) room.force(cost);
  sender.add(outbox.left);

  async function send(
    call: ListCall, key: string, head: string, items: readonly unknown[],
  ): Promise<void> {
    if (ended !== undefined) throw ended;
    await gather.add(call, key, head, items);
  }

  const other = otherCall(exchange, ports, ending.signal);
  return {
    sendLocations: (deviceId, fixes) => send(
      LIST_CALLS.locations, deviceId, `"device_id":${JSON.stringify(deviceId)}`, fixes,
    ),
    sendEvents: (deviceId, events) => send(
      LIST_CALLS.events, deviceId, `"device_id":${JSON.stringify(deviceId)}`, events,
    ),
    sendDeliveryLocations({ device, traceables }, fixes) {
      const head = JSON.stringify({ device, traceables }).slice(1, -1);
      return send(LIST_CALLS['delivery-locations'], JSON.stringify(device), head, fixes);
    },
    call: other,
    receipt: (ingestId) => receiptOf(other, options.countryId, ingestId, ports, ending.signal),
    async flush() {
      if (ended !== undefined) throw ended;
      await gather.hurry();
      await sender.idle();
    },
    async close() {
      const wasEnded = ended;
      end();
      await gather.hurry();
      await sender.stop();
      await outbox.close();
      if (wasEnded?.cause !== undefined) throw wasEnded;
    },
  };
}

function exchangeOf(options: ClientOptions, ports: Ports, signal: AbortSignal): Exchange {
  const { url, clientId, clientSecret } = options;
  const send = sendOnce(ports, options.callMs ?? DEFAULTS.callMs);
  const tokens = createTokenSource({
    url, clientId, clientSecret, audience: options.audience ?? DEFAULTS.audience,
    send, ports, signal,
  });
  const pace = createPace({ ...DEFAULTS.rates, ...options.rates }, ports, signal);
  return createExchange({ url, tokens, pace, send, ports, signal });
}

function outboxOf({ spool }: ClientOptions): Promise<Outbox> | Outbox {
  if (spool === undefined) return createMemoryOutbox();
  return openSpool({
    dir: spool.dir, segmentBytes: spool.segmentBytes ?? DEFAULTS.segmentBytes,
  });
}

function otherCall(
  exchange: Exchange, ports: Ports, signal: AbortSignal,
): (call: OtherCall) => Promise<Reply> {
  return async ({ method, path, query, body }) => {
    const search = new URLSearchParams(query).toString();
    const call = {
      method, path: search === '' ? path : `${path}?${search}`, items: 0,
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      isDone: (status: number) => status >= 200 && status < 300,
    };
    for (let failures = 0; ; failures += 1) {
      const outcome = await exchange(call, failures);
      if (outcome.kind === 'refused') throw new CallRefused(outcome.status, outcome.problem);
      if (outcome.kind === 'done') {
        const { status, text } = outcome.answer;
        return { status, body: text === '' ? undefined : JSON.parse(text) };
      }
      await ports.wait(outcome.ms, signal);
      signal.throwIfAborted();
    }
  };
}

async function receiptOf(
  call: TrackingClient['call'], country_id: string, ingestId: string, ports: Ports,
  signal: AbortSignal,
): Promise<Receipt> {
  const path = `/shipping/rtt/ingest/${encodeURIComponent(ingestId)}`;
  const beganMs = ports.nowMs();
  for (let ms = RECEIPT_FIRST_MS; ; ms = Math.min(ms * 2, RECEIPT_REPEAT_MS_MAX)) {
    try {
      const receipt = (await call({ method: 'GET', path, query: { country_id } })).body as Receipt;
      if (receipt.settled) return receipt;
    } catch (error) {
      const isEarly = ports.nowMs() - beganMs < RECEIPT_UNKNOWN_MS_MAX;
      if (!(error instanceof CallRefused) || error.status !== 404 || !isEarly) throw error;
    }
    await ports.wait(ms, signal);
    signal.throwIfAborted();
  }
}
