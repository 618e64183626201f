import type { OutgoingRequest, HttpReply, SendOnce, WaitingClock } from '../ports.ts';
import { decideNext, type RepeatConfig } from './decide.ts';
import type { SendGate } from './gate.ts';
import type { TokenSource } from './token.ts';

/** How a request ended for good. `unknown`: given up while its last answer was not satisfactory. */
export interface Delivery {
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  readonly tries: number;
  /** True when a try before the last may have been taken without our seeing the answer. */
  readonly mayHaveBeenTaken: boolean;
  /** The last answer, if any came. */
  readonly reply: HttpReply;
}

/** Sends a request until it has its end; the same bytes each time. */
export type Deliver = (request: OutgoingRequest, signal: AbortSignal) => Promise<Delivery>;

/** What delivering needs. `onLost` counts answers that never came. */
export interface DeliverPorts {
  readonly send: SendOnce;
  readonly gate: SendGate;
  readonly token: TokenSource;
  readonly clock: WaitingClock;
  readonly random: () => number;
  readonly onLost: () => void;
}

/** Repeats by {@link decideNext}; an abort ends the repeats but never cuts a try in progress. */
export function createDeliver(config: RepeatConfig, ports: DeliverPorts): Deliver {
  return async function deliver(request, signal) {
    let failures = 0;
    let tries = 0;
    let tokenRenewed = false;
    let mayHaveBeenTaken = false;
    let reply: HttpReply = { kind: 'lost', reason: 'not sent' };
    while (!signal.aborted) {
      const token = await ports.token.current();
      if (token === undefined) break;
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const begun = await ports.gate.pass(async () => {
        if (signal.aborted) return undefined;
        tries += 1;
        return ports.send({ ...request, headers });
      });
      if (begun === undefined) break;
      reply = begun;
      if (reply.kind === 'lost') ports.onLost();
      const next = decideNext(reply, {
        failures: failures + 1, tokenRenewed, random: ports.random(), nowMs: ports.clock.nowMs(),
      }, config);
      if (next.step === 'done') return { outcome: 'accepted', tries, mayHaveBeenTaken, reply };
      if (next.step === 'refused') return { outcome: 'refused', tries, mayHaveBeenTaken, reply };
      if (next.step === 'renew_token') {
        tokenRenewed = true;
        ports.token.discard(token);
        continue;
      }
      failures += 1;
      mayHaveBeenTaken ||= reply.kind === 'lost' || reply.status >= 500;
      await ports.clock.wait(next.ms, signal);
    }
    return { outcome: 'unknown', tries, mayHaveBeenTaken, reply };
  };
}
