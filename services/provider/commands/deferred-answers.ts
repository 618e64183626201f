import type { ProcessTelemetryEventsCommandBody } from '../../../schemas/generated/types.ts';
import type { Deliver } from '../client/deliver.ts';
import type { Requests } from '../client/requests.ts';
import type { WaitingClock } from '../ports.ts';
import { summarize } from '../replay/summarize.ts';
import type { Travels } from '../replay/travels.ts';

/** When answers go out, and how many requests are remembered. */
export interface DeferredConfig {
  /** Time between the answer to the command and the events, in milliseconds. */
  readonly delayMs: number;
  readonly requestsMax: number;
}

/** What answering needs; `signal` ends the repeats when the provider goes away. */
export interface DeferredPorts {
  readonly travels: Travels;
  readonly deliver: Deliver;
  readonly requests: Requests;
  readonly clock: WaitingClock;
  readonly signal: AbortSignal;
}

/** Answers `process_telemetry_events` commands by endpoint 11, each request once. */
export interface DeferredAnswers {
  readonly request: (command: ProcessTelemetryEventsCommandBody) => void;
  readonly counts: () => Readonly<Record<string, number>>;
}

/** Takes requests and answers them later; a repeated one has no second effect. */
export function createDeferredAnswers(
  config: DeferredConfig, ports: DeferredPorts,
): DeferredAnswers {
  const { travels, deliver, requests, clock, signal } = ports;
  const known = new Set<string>();
  const counts: Record<string, number> = {
    deferred_accepted: 0, deferred_refused: 0, deferred_unknown: 0,
  };

  async function answer({ id, transport, travel }: ProcessTelemetryEventsCommandBody) {
    await clock.wait(config.delayMs, signal);
    const [from, until] = [Date.parse(travel.init_date), Date.parse(travel.end_date)];
    const fixes = travels.between(
      transport.id, Math.ceil(from / 1000), Math.floor(until / 1000),
    );
    const body = summarize({ id, transport_id: transport.id }, fixes, clock.nowMs());
    const { outcome } = await deliver(requests.deferredEvents(body), signal);
    const name = `deferred_${outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }

  return {
    request(command) {
      const name = `${command.transport.id} ${command.id}`;
      if (known.has(name)) return;
      known.add(name);
      const oldest = known.values().next();
      if (known.size > config.requestsMax && oldest.done !== true) known.delete(oldest.value);
      void answer(command);
    },
    counts: () => ({ ...counts }),
  };
}
