import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type {
  AuthorizationAsked, AuthorizationCalls, AuthorizationTried, StoredCall,
} from '../../../kernel/authorization-calls.ts';
import { dueOf } from '../../../kernel/authorization-calls.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { CallVerdict } from '../../../domain/authorization/carrier-call.ts';
import { callSubject, sealAnswer } from '../../../domain/authorization/sealed-facts.ts';
import { createDueRunner, type DueRunner, type DueRunnerPorts } from '../common/due-runner.ts';
import type { DueItem, PartyQueue } from '../common/due-work.ts';
import { askCarrier, type AskCarrierPorts } from './ask-carrier.ts';
import type { AuthorizerConfig } from './config.ts';

/** What the authorizer works with. */
export interface AuthorizerPorts extends AskCarrierPorts, DueRunnerPorts {
  readonly calls: AuthorizationCalls;
  readonly log: RecordLog;
}

interface Call extends DueItem {
  readonly asked: AuthorizationAsked;
  readonly attempt: number;
}

/**
 * Sends the platform's authorizations to carriers and repeats them by the agreed schema. It holds
 * nothing: a call is in the log and in the queue until its end is, so a crash only repeats a try,
 * and carriers answer a repeat alike. One that is parked raises an alarm and waits for an operator.
 */
export function createAuthorizer(config: AuthorizerConfig, ports: AuthorizerPorts): DueRunner {
  const { calls, clock, signals } = ports;
  const queue: PartyQueue<Call> = {
    takeDue: (nowMs, leaseMs, callsMax) => calls.takeDue(nowMs, leaseMs, callsMax),
    async load(callId) {
      const call = await calls.load(callId);
      const dueMs = call === undefined ? undefined : dueOf(call);
      if (call === undefined || dueMs === undefined || dueMs > clock.nowMs()) return { dueMs };
      return callOf(call);
    },
    reschedule: (callId, { dueMs }) => calls.reschedule(callId, dueMs),
    onFailed: (id, { code }) => signals.authorizationFailed({ id, code }),
  };
  const queues = Promise.resolve([queue]);

  /** The call is rescheduled by applying its fact. */
  async function record(
    { asked, attempt }: Call, verdict: CallVerdict, deadlineMs: number,
  ): Promise<undefined> {
    const fact = await triedOf(ports, asked, attempt, verdict, deadlineMs);
    await ports.log.append({
      topic: TOPICS.authorizationCalls.name,
      key: asked.transport_order_id,
      value: Buffer.from(JSON.stringify(fact)),
      headers: { client: asked.client_id },
    }, deadlineMs);
    await calls.apply([fact]);
    const { call_id: id, outcome, reason, status } = fact;
    const attempted = { id, outcome, reason, status, attempt };
    signals.authorizationAttempted(attempted);
    if (outcome === 'parked') signals.authorizationParked(attempted);
  }

  return createDueRunner('parties.authorizations', config, {
    queues: () => queues,
    request: ({ asked, attempt }) => askCarrier(config.retry, ports, asked, attempt),
    record,
    onPolled: (inFlight) => signals.authorizationsInFlight({ calls: inFlight }),
    onPollFailed: ({ code, stage }) => signals.authorizerPollFailed({ code, stage }),
  }, ports);
}

function callOf({ asked, tried }: StoredCall): Call {
  return { partyId: asked.carrier, asked, attempt: (tried?.attempt ?? 0) + 1 };
}

/** The fact of one try. A carrier may say anything about the person in its answer: it is sealed. */
async function triedOf(
  { personal, clock }: AuthorizerPorts, asked: AuthorizationAsked, attempt: number,
  { waitMs, answer, ...verdict }: CallVerdict, deadlineMs: number,
): Promise<AuthorizationTried> {
  const atMs = clock.nowMs();
  const sealed = answer === undefined ? {} : sealAnswer(
    await personal.forWriting([callSubject(asked)], deadlineMs), asked, answer,
  );
  return {
    type: 'AuthorizationTried',
    call_id: asked.call_id,
    carrier: asked.carrier,
    transport_order_id: asked.transport_order_id,
    shipment_id: asked.shipment_id,
    round: asked.round,
    attempt,
    ...verdict,
    ...(verdict.outcome === 'authorized' ? { platform_client_id: asked.client_id } : {}),
    ...sealed,
    ...(waitMs === undefined ? {} : { next_attempt_at_ms: atMs + waitMs }),
    at_ms: atMs,
  };
}
