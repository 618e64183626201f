import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { OverflowRecorded } from '../../../kernel/overflow.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import { appendAudit } from '../../../operator/audit/append-audit.ts';
import { auditedSubject } from '../../../operator/audit/subjects.ts';
import { appendOverflow } from '../../../operator/overflow/append-overflow.ts';
import { readDecided, type OverflowSource } from '../../../operator/overflow/overflow-now.ts';
import {
  planOverflow, type OverflowPlan, type PlanOverflowPorts,
} from '../../../operator/overflow/plan-overflow.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { oneAtATime, type OneAtATimePorts } from '../one-at-a-time.ts';
import { overflowDecision, overflowSubjectIn, type OverflowSubject } from '../overflow-decision.ts';

/** What deciding needs from outside. */
export interface DecideOverflowPorts extends OneAtATimePorts, PlanOverflowPorts {
  readonly source: OverflowSource;
  readonly log: RecordLog;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'hash'>;
}

type DecideCall = CallOf<'decide-overflow'>;

/** All copies of the gateway decide under one lease, so that no two decisions have one version. */
const LEASE = 'overflow-decisions';
const MINUTE_MS = 60_000;

/**
 * `POST /operator/overflow`: moves a device or a provider into the overflow topic or out of it, as
 * `rastro overflow add` and `rm` do. The audit has the call first. What is so already is answered
 * and writes nothing.
 */
export function decideOverflow(ports: DecideOverflowPorts): Operation {
  return defineOperation('decide-overflow', {
    errors: problemErrors,
    handle: (call) => oneAtATime(ports, LEASE, call.deadlineMs, () => handle(ports, call)),
  });
}

async function handle(ports: DecideOverflowPorts, call: DecideCall): Promise<Answer> {
  const { subject: text, state, minutes, reason } = call.body;
  const subject = overflowSubjectIn(text);
  if ('deviceId' in subject && minutes !== undefined) return forProvidersOnly();
  const plan = await planOverflow(await readDecided(ports.source), {
    ...subject, state, reason, spanMs: minutes === undefined ? undefined : minutes * MINUTE_MS,
  }, ports.clock.nowMs(), ports);
  if (!('fact' in plan)) return unknown(plan.kind);
  if (plan.kind === 'new') {
    await audit(ports, call, subject);
    await appendOverflow(ports.log, plan.fact, call.deadlineMs);
  }
  return answer(plan.fact);
}

function audit(
  { log, ids, secrets, clock }: DecideOverflowPorts, call: DecideCall, subject: OverflowSubject,
): Promise<void> {
  const { state, reason } = call.body;
  return appendAudit({ log, ids }, {
    actor: call.caller.clientId, actor_from: 'token',
    command: state === 'in' ? 'overflow add' : 'overflow rm', touches: 'overflow',
    subject: auditedSubject(secrets, 'provider' in subject
      ? { kind: 'provider', text: subject.provider } : { kind: 'device', text: subject.deviceId }),
    reason, at_ms: clock.nowMs(),
  }, call.deadlineMs);
}

function answer(fact: OverflowRecorded): Answer {
  return { kind: 'answer', status: 200, body: overflowDecision(fact) };
}

const UNKNOWN = {
  'no-device': { code: 'device_not_found', detail: 'There is no such device.' },
  'not-in': { code: 'device_not_found', detail: 'The device is not in overflow.' },
  'no-provider': {
    code: 'provider_not_found', detail: 'No client with a device has this provider.',
  },
} as const;

function unknown(kind: Exclude<OverflowPlan, { readonly fact: unknown }>['kind']): Answer {
  return { kind: 'refusal', ...UNKNOWN[kind] };
}

function forProvidersOnly(): Answer {
  const message = 'minutes is for providers alone; a device stays until the next decision.';
  return {
    kind: 'refusal', code: 'validation_failed', detail: message,
    errors: [{ pointer: '/minutes', code: 'not_allowed', message }],
  };
}
