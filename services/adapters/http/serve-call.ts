import { CODES } from '../../kernel/codes.ts';
import { RecordTooLarge, tooLarge } from '../../kernel/record-size.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { QuotaFacts } from '../../kernel/admission.ts';
import type { Answer } from '../../kernel/http.ts';
import { passStep } from '../signals/steps.ts';
import { answerCall } from './answer-call.ts';
import { createBadTokens } from './bad-tokens.ts';
import { createJsonSteps } from './json/read-json.ts';
import { createLargeBodies } from './large-bodies.ts';
import { createKnownTokens } from './known-tokens.ts';
import { createOverdue } from './overdue.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { createDelayedRejections } from './delayed-rejections.ts';
import { createBearerReader } from './request/bearer.ts';
import { createByteBudget } from './request/budget.ts';
import { discardRest, leaveRest } from './request/discard-rest.ts';
import { requestIdOf } from './request/headers.ts';
import type {
  CallTools, StageEnding, Mounted, RequestContext, RoutedRequest,
} from './request-context.ts';
import { NO_BODY, NOTHING } from './stages/input.ts';
import { answerStream } from './stream/answer-stream.ts';
import { createTenantMeter } from './tenant-meter.ts';
import { traceCalls, type Ended } from './trace-call.ts';
import { createClientConcurrency } from './client-concurrency.ts';
import { writeAnswer, type Written } from './write-answer.ts';

/** Answers one call, whatever happens, and says with what. */
export type ServeCall = (mounted: Mounted, routed: RoutedRequest) => Promise<Ended>;

// A fault of any other kind would blame a caller for an outage (GEN-02).
const MAY_BE_ANSWERED: ReadonlySet<string> = new Set(['fault', 'throttled']);

const NO_QUERY: RequestContext['query'] = {};

/** For how long after a call the body of the next one with its token is read at once. */
const KNOWN_MS = 30_000;

/** Makes the function that takes a call from its route to its answer, and reports it. */
export function createServeCall(
  config: HttpConfig, ports: HttpPorts, callerAddressOf: CallTools['callerAddressOf'],
): ServeCall {
  const budget = createByteBudget(config.bodyBytesInFlightMax);
  const delayRejection = createDelayedRejections(config, ports.clock);
  const tools: CallTools = {
    config, ports, callerAddressOf,
    readInSteps: createJsonSteps(config.bodyDepthMax), bearerOf: createBearerReader(),
    withOverdue: createOverdue(), takeSlot: createClientConcurrency(config, ports.clock),
    knownTokens: createKnownTokens(KNOWN_MS, ports.clock),
    badTokens: createBadTokens(config, ports.clock),
    tenants: createTenantMeter(config, ports), largeBodies: createLargeBodies(config),
  };

  return traceCalls(ports.tracer, async function serveCall(mounted, routed) {
    const { request, response, url } = routed;
    const context = contextOf(mounted, routed, {
      requestId: requestIdOf(request, () => ports.ids.nonce()),
      receivedAtMs: ports.clock.nowMs(),
      reservation: budget.reservation(),
    });
    let answer: StageEnding;
    try {
      answer = await answerCall(tools, context);
    } catch (error) {
      answer = answerOfError(tools, context, error);
    }
    const decidedAtMs = ports.clock.nowMs();
    context.reservation.release();
    context.finishLargeBody?.();
    context.slot?.end(context.facts?.caller?.clientId);
    const limited = isLimited(answer) ? context.facts?.caller : undefined;
    if (limited !== undefined) await delayRejection(limited.clientId, response);
    passStep('http.before-answer', mounted.operation.id);
    if (isSentAgain(answer)) leaveRest(request, response);
    const written = answer !== 'gone' && answer.kind === 'stream'
      ? answerStream(tools, context, answer)
      : writeAnswer(response, mounted.operation.errors, answer, {
        requestId: context.requestId, path: url, quota: quotaOf(context, answer),
        isSandbox: context.facts?.caller?.sandbox === true,
      });
    discardRest(request, config.discardedBytesMax);
    report(tools, context, written, decidedAtMs);
    keepForClient(tools, context, written, answer);
    ports.signals.bodyBytesHeld({ bytes: budget.taken() });
    return { ...written, stage: context.stage };
  });
}

function contextOf(
  mounted: Mounted, routed: RoutedRequest,
  own: Pick<RequestContext, 'requestId' | 'receivedAtMs' | 'reservation'>,
): RequestContext {
  return {
    mounted, routed, ...own,
    stage: 'headers', refused: undefined, bearer: undefined,
    query: NO_QUERY, bytes: undefined, value: undefined, body: undefined, canonical: NOTHING,
    sent: NO_BODY,
    isScanned: false, slot: undefined, clientId: undefined, packed: undefined,
    finishLargeBody: undefined,
    deviceId: undefined, items: { locations: 0, notifications: 0 }, beganMs: undefined,
    facts: undefined, deadlineMs: Infinity,
  };
}

function isLimited(answer: StageEnding): boolean {
  return answer !== 'gone' && answer.kind === 'refusal' && answer.code === 'rate_limited';
}

/** In a sandbox a limit can be above its end by order; the quota says then what the code says. */
function quotaOf({ facts }: RequestContext, answer: StageEnding): QuotaFacts | undefined {
  const quota = facts?.quota;
  return quota !== undefined && facts?.caller?.sandbox === true && isLimited(answer)
    ? { ...quota, allowed: false, remaining: 0 }
    : quota;
}

function isSentAgain(answer: StageEnding): boolean {
  return answer !== 'gone' && answer.kind === 'refusal' && CODES[answer.code].retryable;
}

/**
 * A body of which no record can be made is too large; an outage becomes a 500 (or 429) by its code;
 * anything else is a defect of ours: 500.
 */
function answerOfError(
  { config, ports }: CallTools, context: RequestContext, error: unknown,
): Answer {
  if (error instanceof RecordTooLarge) return { kind: 'refusal', ...tooLarge() };
  const fields = { operation: context.mounted.operation.id, request_id: context.requestId };
  const retryAfterSeconds = 1 + Math.floor(ports.random() * config.faultRetryAfterSecondsMax);
  if (isUnavailable(error) && MAY_BE_ANSWERED.has(CODES[error.code].kind)) {
    const { code, stage } = error;
    const { kind, meaning: detail } = CODES[code];
    ports.signals.requestUnavailable({ ...fields, code, stage, reason: error.message });
    return { kind: 'refusal', code, detail, ...(kind === 'fault' ? { retryAfterSeconds } : {}) };
  }
  const reason = error instanceof Error ? error.stack ?? error.message : String(error);
  ports.signals.requestCrashed({ ...fields, reason });
  return { kind: 'refusal', code: 'internal', detail: CODES.internal.meaning, retryAfterSeconds };
}

function report(
  { ports }: CallTools, context: RequestContext, { status, code }: Written, decidedAtMs: number,
): void {
  const { signals } = ports;
  const operation = context.mounted.operation.id;
  const caller = context.facts?.caller;
  const answered = {
    operation, status, code,
    stage: context.stage,
    request_id: context.requestId,
    client_id: caller?.clientId,
  };
  // Its faults are asked for: they count against no objective, and its items against no balance.
  if (caller?.sandbox === true) {
    signals.sandboxAnswered(answered);
    return;
  }
  signals.requestAnswered({
    ...answered, seconds: (decidedAtMs - context.receivedAtMs) / 1_000,
  });
  if (context.mounted.operation.isDryRun === true) return;
  if (code !== 'ok') {
    signals.requestRefused({ provider: providerOf(context), stage: context.stage, code });
  }
  const items = context.items.locations + context.items.notifications;
  if (code === 'ok' && items > 0) signals.itemsAccepted({ operation, items });
}

/**
 * Of a known client what had success, and what was refused that it can change. Neither a stranger's
 * call nor an outage is kept, no refusal of a dry run, and none that a magic id asked for. What the
 * console asks with the cookie of a session is left out: that a person looks is no step of a
 * program.
 */
function keepForClient(
  { ports }: CallTools, { facts, mounted, receivedAtMs, routed: { request } }: RequestContext,
  { status, code }: Written, answer: StageEnding,
): void {
  const clientId = facts?.caller?.clientId;
  if (clientId === undefined || request.headers.authorization === undefined) return;
  const { id: operation, isDryRun } = mounted.operation;
  if (status >= 200 && status < 300) {
    ports.takenCalls?.report({ clientId, operation, atMs: receivedAtMs });
  }
  if (status < 400 || status >= 500 || answer === 'gone' || isDryRun === true) return;
  if (answer.kind === 'refusal' && answer.isOrdered === true) return;
  ports.refusedCalls?.report({
    clientId, operation, status, code, atMs: receivedAtMs,
    pointers: answer.kind === 'refusal' ? answer.errors?.map(({ pointer }) => pointer) ?? [] : [],
    limit: code === 'rate_limited' && facts?.quota?.allowed === false ? facts.quota.of : undefined,
  });
}

/** Only a provider that the caller may speak for: what else is in a path, strangers chose. */
function providerOf({ routed, facts }: RequestContext): string {
  const { provider } = routed.params;
  if (provider === undefined) return 'none';
  return facts?.caller?.providers.includes(provider) === true ? provider : 'unknown';
}
