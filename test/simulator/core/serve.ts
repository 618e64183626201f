import { createHash } from 'node:crypto';
import { createOverdue } from '../../../services/adapters/http/overdue.ts';
import { createAuthorizeCaller } from '../../../services/domain/access/authorize.ts';
import type { AdmissionFacts, AdmissionReader } from '../../../services/kernel/admission.ts';
import type { Clock } from '../../../services/kernel/clock.ts';
import { CODES } from '../../../services/kernel/codes.ts';
import { Unavailable, isUnavailable } from '../../../services/kernel/unavailable.ts';
import type { AdmissionCharge, Answer, Operation } from '../../../services/kernel/http.ts';
import { shardOfToken } from '../../../services/kernel/shards.ts';
import { written } from '../../support/calls.ts';

/** A call as it reaches a gateway, read and checked against its schema. */
export interface Request {
  readonly authorization: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What goes back. */
export type SimReply = ReturnType<typeof written>;

/** What a gateway answers calls with. */
export interface ServePorts {
  readonly admission: AdmissionReader;
  readonly clock: Clock;
}

const REQUEST_DEADLINE_MS = 5_000;
const OVERDUE_GRACE_MS = 500;
const NO_FACTS: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };

const authorize = createAuthorizeCaller({ clientIdRequired: false });

/**
 * Answers a call in the steps of the HTTP adapter, without HTTP: admission, authorization,
 * deadline,
 * operation, and the same translation of what is thrown.
 */
export async function serve(
  ports: ServePorts, operation: Operation, request: Request,
): Promise<SimReply> {
  let answer: Answer;
  try {
    answer = await answerOf(ports, operation, request);
  } catch (error) {
    if (!isUnavailable(error) || !['fault', 'throttled'].includes(CODES[error.code].kind)) throw error;
    answer = { kind: 'refusal', code: error.code, detail: error.message };
  }
  return written(operation, answer);
}

async function answerOf(
  { admission, clock }: ServePorts, operation: Operation, request: Request,
): Promise<Answer> {
  const withOverdue = createOverdue();
  const receivedAtMs = clock.nowMs();
  const { params = {}, query = {}, authorization } = request;
  const body = operation.summary?.summarize(request.body) ?? request.body;
  const asked: AdmissionCharge = operation.admissionOf?.(body) ?? {};
  let facts = NO_FACTS;
  if (operation.authentication === 'bearer') {
    const token = authorization.replace('Bearer ', '');
    const tokenHash = createHash('sha256').update(token).digest('hex');
    facts = await withOverdue(
      REQUEST_DEADLINE_MS, () => new Unavailable('state_unavailable', 'admit', 'overdue'),
      admission.read({
        tokenHash, shard: shardOfToken(token) ?? 0, deviceId: asked.deviceId,
        locations: asked.locations ?? 0, notifications: asked.notifications ?? 0, bytes: 0,
        charges: true,
      }),
    );
    const refusal = authorize(operation, facts, {
      params, clientIdHeader: undefined, deviceId: asked.deviceId,
    });
    if (refusal !== undefined) return { kind: 'refusal', ...refusal };
  }
  const deadlineMs = receivedAtMs + REQUEST_DEADLINE_MS;
  const leftMs = deadlineMs - clock.nowMs();
  if (leftMs <= 0) throw new Unavailable('state_unavailable', 'admit', 'what was seen is too old');
  return withOverdue(
    leftMs + OVERDUE_GRACE_MS, () => new Unavailable('log_timeout', 'append', 'overdue'),
    operation.handle({
      requestId: 'request', receivedAtMs, deadlineMs, address: '127.0.0.1', params, query, body,
      header: (name) => name.toLowerCase() === 'authorization' ? authorization : undefined,
      canonical: Buffer.from(JSON.stringify(request.body ?? null)),
      sent: { value: body, texts: new Map() },
      caller: facts.caller, device: facts.device, quota: facts.quota,
    }),
  );
}
