import type { Outbound, OutboundReply } from '../../../services/kernel/outbound.ts';
import type { CallHistory } from '../core/history.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { Wire } from '../core/wire.ts';

/** A command as the provider saw it. */
export interface ProviderSighting {
  readonly commandId: string;
  readonly step: number;
  readonly by: string;
  readonly status: number;
}

/** A provider that remembers what it was asked, and answers as it likes. */
export interface SimProvider {
  readonly sightings: readonly ProviderSighting[];
  outboundOf(process: SimProcess): Outbound;
}

const EXCHANGE_MS_MAX = 10_000;
const MOODS = [200, 200, 200, 200, 200, 500, 500, 503, 302, 429, 401, 400, 403, 404];

/** Makes a provider; when the weather is calm it takes everything. */
export function createSimProvider(wire: Wire, history: CallHistory): SimProvider {
  const { scheduler, weather } = wire;
  const sightings: ProviderSighting[] = [];

  function take(process: SimProcess, body: Uint8Array | undefined): number {
    const { transport } = JSON.parse(Buffer.from(body ?? []).toString()) as {
      transport: { license_plate: string };
    };
    const status = weather.isCalm() ? 200 : scheduler.dice.pick(MOODS);
    const { license_plate: commandId } = transport;
    scheduler.addToTrace(`the provider answers ${commandId} with ${status}`);
    const step = scheduler.step();
    history.end(history.begin(step, 'take', 'provider', { commandId }), step, status);
    sightings.push({ commandId, step, by: process.name, status });
    return status;
  }

  return {
    sightings,
    outboundOf: (process) => (request) => new Promise<OutboundReply>((resolve) => {
      scheduler.post(process, 'timer', 'the exchange takes too long', EXCHANGE_MS_MAX,
        () => resolve({ kind: 'lost', reason: 'timeout' }));
      const latencyMs = weather.latencyMs();
      // What has not arrived by then never will: the connection is closed.
      if (latencyMs >= EXCHANGE_MS_MAX) return;
      scheduler.post(process, 'request', 'the command arrives', latencyMs, () => {
        const outcome = weather.outcome();
        const status = outcome === 'dropped' ? 0 : take(process, request.body);
        scheduler.post(process, 'answer', `exchange ${outcome}`, weather.latencyMs(), () => {
          resolve(outcome === 'ok'
            ? { kind: 'answer', status, headers: {}, body: Buffer.alloc(0), isCut: false }
            : { kind: 'lost', reason: 'network' });
        });
      });
    }),
  };
}
