import { listCall } from './batches.ts';
import { createDeferred, type Deferred } from './deferred.ts';
import type { Exchange, OutgoingCall, CallOutcome } from './exchange.ts';
import { createFifo, type Fifo } from './fifo.ts';
import type { AcceptedBatch, Ports, RefusedBatch } from './options.ts';
import type { Entry, Outbox } from './outbox.ts';

/** Sends the entries of an outbox, those of one device one after the other. */
export interface BatchSender {
  add(entries: readonly Entry[]): void;
  /** Ends when every entry has its answer. */
  idle(): Promise<void>;
  /** Begins no further call; ends when those in flight have ended. */
  stop(): Promise<void>;
}

/** What sending needs. */
export interface SenderConfig {
  readonly provider: string;
  readonly countryId: string;
  readonly callsMax: number;
  readonly deviceCallsPerSecond: number;
  readonly outbox: Outbox;
  readonly exchange: Exchange;
  readonly ports: Ports;
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
  readonly onFreed: (bytes: number) => void;
  readonly onAccepted: (batch: AcceptedBatch) => void | Promise<void>;
  readonly onRefused: (batch: RefusedBatch) => void | Promise<void>;
  /** The sender cannot go on. */
  readonly onFailed: (error: unknown) => void;
}

interface Device {
  readonly key: string;
  readonly queue: Fifo<Entry>;
  failures: number;
}

/** Devices side by side, up to a bound; one that waits for its next try takes none of it. */
export function createSender(config: SenderConfig): BatchSender {
  const { outbox, exchange, ports, signal } = config;
  const devices = new Map<string, Device>();
  const ready = createFifo<Device>();
  const inFlight = new Set<Promise<void>>();
  let unfinished = 0;
  let waiters: Deferred[] = [];
  let failure: { readonly error: unknown } | undefined;

  function pump(): void {
    while (inFlight.size < config.callsMax && !signal.aborted && failure === undefined) {
      const device = ready.take();
      if (device === undefined) return;
      const running: Promise<void> = sendFirst(device).catch(fail).finally(() => {
        inFlight.delete(running);
        pump();
      });
      inFlight.add(running);
    }
  }

  async function sendFirst(device: Device): Promise<void> {
    const entry = device.queue.first();
    if (entry === undefined) return;
    const beganMs = ports.nowMs();
    const body = await outbox.read(entry);
    const outcome = await exchange(callOf(config, entry, body), device.failures);
    if (outcome.kind === 'wait') {
      device.failures += 1;
      rest(device, outcome.ms);
      return;
    }
    device.failures = 0;
    await report(entry, body, outcome);
    device.queue.take();
    config.onFreed(outbox.finish(entry));
    unfinished -= 1;
    if (unfinished === 0) release();
    rest(device, 1_000 / config.deviceCallsPerSecond - (ports.nowMs() - beganMs));
  }

  async function report(
    { head }: Entry, body: Buffer, outcome: Exclude<CallOutcome, { kind: 'wait' }>,
  ): Promise<void> {
    const { call, key, items } = head;
    if (outcome.kind === 'done') {
      const ingestId = outcome.answer.headers.get('ingest-id') ?? '';
      return config.onAccepted({ call, key, items, ingestId });
    }
    const { status, problem } = outcome;
    const text = body.toString();
    const sent = JSON.parse(text) as Readonly<Record<string, readonly unknown[]>>;
    return config.onRefused({
      call, key, status, problem, items: sent[listCall(call).member] ?? [], body: text,
    });
  }

  /** A device is not called again before its time, whether it has something to send or not. */
  function rest(device: Device, ms: number): void {
    const then = (): void => {
      if (device.queue.size === 0) devices.delete(device.key);
      else ready.push(device);
      pump();
    };
    if (ms <= 0) then();
    else ports.wait(ms, signal).then(then).catch(fail);
  }

  function fail(error: unknown): void {
    if (signal.aborted || failure !== undefined) return;
    failure = { error };
    config.onFailed(error);
    release();
  }

  function release(): void {
    const released = waiters;
    waiters = [];
    for (const waiter of released) {
      if (failure === undefined) waiter.resolve();
      else waiter.reject(failure.error);
    }
  }

  return {
    add(entries) {
      unfinished += entries.length;
      for (const entry of entries) {
        const { key } = entry.head;
        const device = devices.get(key) ?? { key, queue: createFifo(), failures: 0 };
        device.queue.push(entry);
        if (devices.has(key)) continue;
        devices.set(key, device);
        ready.push(device);
      }
      pump();
    },
    async idle() {
      if (failure !== undefined) throw failure.error as Error;
      if (unfinished === 0) return;
      const waiter = createDeferred();
      waiters.push(waiter);
      await waiter.promise;
    },
    async stop() {
      while (inFlight.size > 0) await Promise.all(inFlight);
      failure ??= { error: signal.reason };
      release();
    },
  };
}

/** Only 202 is an acceptance: something between us and the gateway may answer 200. */
function callOf(
  { provider, countryId }: SenderConfig, { head }: Entry, body: Buffer,
): OutgoingCall {
  const path = listCall(head.call).path(encodeURIComponent(provider));
  return {
    method: 'POST', path: `${path}?country_id=${encodeURIComponent(countryId)}`,
    body, items: head.items, isDone: (status) => status === 202,
  };
}
