import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import { formatRecordId } from '../../../kernel/record-id.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import { appendAudit } from '../../../operator/audit/append-audit.ts';
import { auditedSubject } from '../../../operator/audit/subjects.ts';
import type { ReplayPlan } from '../../../operator/dead-letters/plan-replay.ts';
import { replay, type ReplayEnd } from '../../../operator/dead-letters/replay.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { oneAtATime, type OneAtATimePorts } from '../one-at-a-time.ts';
import { planSignature, replayResource, type DeadLetterSource } from '../planned-replay.ts';

/** What putting back needs from outside. */
export interface ReplayDeadLettersPorts extends OneAtATimePorts {
  readonly source: DeadLetterSource;
  readonly log: RecordLog;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly codeVersion: string;
}

type ReplayCall = CallOf<'replay-dead-letters'>;

/** All copies of the gateway put back under one lease, so that two calls never take one record. */
const LEASE = 'dead-letters-replay';
/** Records of one partition in a call: they go one after the other. */
const PARTITION_RECORDS_MAX = 250;
const HELD_BYTES_MAX = 8_388_608;

/**
 * `POST /operator/dead_letters/replay`: puts dead letters of a signature back, as many as half of
 * its time allows, and says what remains. The audit has the call first. A call that finds nothing
 * writes nothing; one beside another is `Unavailable` `state_busy`.
 */
export function replayDeadLetters(ports: ReplayDeadLettersPorts): Operation {
  return defineOperation('replay-dead-letters', {
    errors: problemErrors,
    handle: (call) => oneAtATime(ports, LEASE, call.deadlineMs, () => putBack(ports, call)),
  });
}

async function putBack(ports: ReplayDeadLettersPorts, call: ReplayCall): Promise<Answer> {
  const { source, log, clock, codeVersion } = ports;
  const { signature, until } = call.body;
  const untilMs = Date.parse(until);
  const { plan, topic } = await planSignature(source, signature, untilMs);
  if (plan.go.length === 0 || topic === undefined) return answer(0);
  const part = partOf(plan);
  await audit(ports, call, topic, part.go.length);
  const end = await replay({ log, clock, codeVersion, open: source.open }, part, {
    untilMs: (call.receivedAtMs + call.deadlineMs) / 2,
    deadlineMs: call.deadlineMs, heldBytesMax: HELD_BYTES_MAX,
  });
  if (end.fault !== undefined) throw end.fault;
  return answer(closedBy(plan, end));

  function answer(closed: number): Answer {
    return {
      kind: 'answer', status: 200, body: replayResource(signature, untilMs, plan, closed),
    };
  }
}

function audit(
  { log, ids, secrets, clock }: ReplayDeadLettersPorts, call: ReplayCall, topic: string,
  records: number,
): Promise<void> {
  return appendAudit({ log, ids }, {
    actor: call.caller.clientId, actor_from: 'token', command: 'dlq replay',
    touches: 'dead-letters', subject: auditedSubject(secrets, { kind: 'topic', text: topic }),
    reason: call.body.reason, records, at_ms: clock.nowMs(),
  }, call.deadlineMs);
}

/** The first records of each partition. */
function partOf(plan: ReplayPlan): ReplayPlan {
  const partitions = Map.groupBy(plan.go, ({ topic, first }) => `${topic}:${first.partition}`);
  return {
    ...plan,
    go: [...partitions.values()].flatMap((own) => own.slice(0, PARTITION_RECORDS_MAX)),
  };
}

/** Further dead letters of a record are closed with it. */
function closedBy({ repeats }: ReplayPlan, { replayed }: ReplayEnd): number {
  const firsts = new Set(replayed.map(({ first }) => formatRecordId(first)));
  return replayed.length
    + repeats.filter(({ first }) => firsts.has(formatRecordId(first))).length;
}
