import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type {
  AuthorizationAsked, AuthorizationCalls, AuthorizationTried, StoredCall,
} from '../../../kernel/authorization-calls.ts';
import { dueOf } from '../../../kernel/authorization-calls.ts';
import type { Clock, Pause } from '../../../kernel/clock.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { callSubject, sealAnswer } from '../../../domain/authorization/sealed-facts.ts';
import { askCarrier, type AskPorts } from './ask-carrier.ts';
import type { AuthorizerConfig } from './config.ts';

/** What the authorizer works with. */
export interface AuthorizerPorts extends AskPorts {
  readonly calls: AuthorizationCalls;
  readonly log: RecordLog;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
  /**
   * Called once with an error that is not `Unavailable`: a defect, after which the process must
   * end.
   */
  readonly onCrash: (error: unknown) => void;
}

/** The running authorizer. */
export interface Authorizer {
  /** Looks once: takes what is due and brings each call to an answer, a next try or its end. */
  readonly look: () => Promise<void>;
  readonly start: () => void;
  /** Takes nothing more and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Sends the platform's authorizations to carriers and repeats them by the agreed schema. It holds
 * nothing: a call is in the log and in the queue until its end is, so a crash only repeats a try,
 * and carriers answer a repeat alike. One that is parked raises an alarm and waits for an operator.
 */
export function createAuthorizer(config: AuthorizerConfig, ports: AuthorizerPorts): Authorizer {
  const { calls, clock, signals } = ports;
  const atCarrier = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let isStopping = false;
  let looping: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const free = config.inFlightMax - underWay.size;
    if (free <= 0) return;
    const ids = await calls.takeDue(clock.nowMs(), config.leaseMs, free);
    for (const id of ids) {
      const work = guarded(id).finally(() => underWay.delete(work));
      underWay.add(work);
    }
    signals.authorizationsInFlight({ calls: underWay.size });
  }

  /** A fault leaves the call in the queue, where it comes up again when its lease ends. */
  async function guarded(callId: string): Promise<void> {
    try {
      await run(callId);
    } catch (error) {
      if (!isUnavailable(error)) ports.onCrash(error);
      else signals.authorizationFailed({ id: callId, code: error.code });
    }
  }

  async function run(callId: string): Promise<void> {
    const call = await calls.load(callId);
    const dueMs = call === undefined ? undefined : dueOf(call);
    if (call === undefined || dueMs === undefined || dueMs > clock.nowMs()) {
      return calls.reschedule(callId, dueMs);
    }
    const { carrier } = call.asked;
    const busy = atCarrier.get(carrier) ?? 0;
    if (busy >= config.inFlightMaxPerCarrier) {
      return calls.reschedule(callId, clock.nowMs() + config.busyMs);
    }
    atCarrier.set(carrier, busy + 1);
    try {
      await attempt(call);
    } finally {
      const left = (atCarrier.get(carrier) ?? 1) - 1;
      if (left > 0) atCarrier.set(carrier, left);
      else atCarrier.delete(carrier);
    }
  }

  async function attempt({ asked, tried }: StoredCall): Promise<void> {
    const number = (tried?.attempt ?? 0) + 1;
    const { waitMs, answer, ...verdict } = await askCarrier(config.retry, ports, asked, number);
    const atMs = clock.nowMs();
    const told = answer === undefined ? {} : await sealed(asked, answer, atMs + config.appendMsMax);
    const fact: AuthorizationTried = {
      type: 'AuthorizationTried',
      call_id: asked.call_id,
      carrier: asked.carrier,
      transport_order_id: asked.transport_order_id,
      shipment_id: asked.shipment_id,
      round: asked.round,
      attempt: number,
      ...verdict,
      ...told,
      ...(waitMs === undefined ? {} : { next_attempt_at_ms: atMs + waitMs }),
      at_ms: atMs,
    };
    await ports.log.append({
      topic: TOPICS.authorizationCalls.name,
      key: asked.transport_order_id,
      value: Buffer.from(JSON.stringify(fact)),
      headers: { client: asked.client_id },
    }, atMs + config.appendMsMax);
    await calls.apply([fact]);
    report(fact);
  }

  /** A carrier may say anything about the person in its answer. */
  async function sealed(asked: AuthorizationAsked, answer: object, deadlineMs: number) {
    const keys = await ports.personal.forWriting([callSubject(asked)], deadlineMs);
    return sealAnswer(keys, asked, answer);
  }

  function report({ call_id, outcome, reason, status, attempt: number }: AuthorizationTried): void {
    const attempted = { id: call_id, outcome, reason, status, attempt: number };
    signals.authorizationAttempted(attempted);
    if (outcome === 'parked') signals.authorizationParked(attempted);
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      try {
        await look();
      } catch (error) {
        if (!isUnavailable(error)) return ports.onCrash(error);
        signals.authorizerPollFailed({ code: error.code, stage: error.stage });
      }
      await ports.pause(config.pollMs);
    }
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    look: async () => {
      await look();
      await settled();
    },
    start: () => { looping = loop(); },
    stop: async () => {
      isStopping = true;
      await looping;
      await settled();
    },
  };
}
