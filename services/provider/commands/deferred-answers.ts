import { longOf } from '../../kernel/longs.ts';
import type { ProcessTelemetryEventsCommandBody } from '../../../schemas/generated/types.ts';
import { epochMsOf } from '../../kernel/date-time.ts';
import type { Deliver } from '../client/deliver.ts';
import type { Requests } from '../client/requests.ts';
import { sentDeferredIdentities } from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
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
  readonly ledger: Pick<Ledger, 'beginItems' | 'end'>;
  readonly clock: WaitingClock;
  readonly signal: AbortSignal;
}

/** Answers `process_telemetry_events` commands by endpoint 11, each request once. */
export interface DeferredAnswers {
  readonly request: (command: ProcessTelemetryEventsCommandBody) => void;
  /** Ends when every request so far has its answer, or was given up. */
  readonly finished: () => Promise<void>;
  /** Requests that have no answer yet. */
  readonly open: () => number;
}

/** Takes requests and answers them later; a repeated one has no second effect. */
export function createDeferredAnswers(
  config: DeferredConfig, ports: DeferredPorts,
): DeferredAnswers {
  const { travels, deliver, requests, ledger, clock, signal } = ports;
  const known = new Set<string>();
  const open = new Set<Promise<void>>();

  async function answer({ id, transport, travel }: ProcessTelemetryEventsCommandBody) {
    await clock.wait(config.delayMs, signal);
    const [from = 0, until = 0] = [epochMsOf(travel.init_date), epochMsOf(travel.end_date)];
    const fixes = travels.between(
      longOf(transport.id), Math.ceil(from / 1000), Math.floor(until / 1000),
    );
    const body = summarize({ id, transport_id: longOf(transport.id) }, fixes, clock.nowMs());
    const post = ledger.beginItems('deferred events', sentDeferredIdentities(body));
    ledger.end(post, await deliver(requests.deferredEvents(body), signal));
  }

  return {
    request(command) {
      const name = `${longOf(command.transport.id)} ${command.id}`;
      if (known.has(name)) return;
      known.add(name);
      const oldest = known.values().next();
      if (known.size > config.requestsMax && oldest.done !== true) known.delete(oldest.value);
      const answered = answer(command).finally(() => { open.delete(answered); });
      open.add(answered);
    },
    finished: async () => { await Promise.all(open); },
    open: () => open.size,
  };
}
