import { CODES } from '../../kernel/codes.ts';
import { isFault } from '../../kernel/faults.ts';
import type { Answer } from '../../kernel/http.ts';
import { passStep } from '../signals/steps.ts';
import {
  answerCall, type CallTools, type Mounted, type Passage, type RoutedRequest,
} from './answer-call.ts';
import { createReadJson } from './json/read-json.ts';
import { createOverdue } from './overdue.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { createRefusalPace } from './refusal-pace.ts';
import { createBearerReader } from './request/bearer.ts';
import { createByteBudget } from './request/budget.ts';
import { discardRest } from './request/discard-rest.ts';
import { requestIdOf } from './request/headers.ts';
import { traceCalls } from './trace-call.ts';
import { createTurns } from './turns.ts';
import { writeAnswer, type Written } from './write-answer.ts';

/** Answers one call, whatever happens, and says with what. */
export type ServeCall = (mounted: Mounted, routed: RoutedRequest) => Promise<Written>;

// A fault of any other kind would tell a caller that an outage is his mistake (GEN-02).
const MAY_BE_ANSWERED: ReadonlySet<string> = new Set(['fault', 'throttled']);

/** Makes the function that takes a call from its route to its answer, and reports it. */
export function createServeCall(
  config: HttpConfig, ports: HttpPorts, callerAddressOf: CallTools['callerAddressOf'],
): ServeCall {
  const budget = createByteBudget(config.bodyBytesInFlightMax);
  const holdRefusal = createRefusalPace(config, ports.clock);
  const tools: CallTools = {
    config, ports, callerAddressOf,
    readJson: createReadJson(config.bodyDepthMax), bearerOf: createBearerReader(),
    withOverdue: createOverdue(), takeTurn: createTurns(config, ports.clock),
  };

  return traceCalls(ports.tracer, async function serveCall(mounted, routed) {
    const { request, response, url } = routed;
    const passage: Passage = {
      mounted,
      routed,
      requestId: requestIdOf(request, () => ports.ids.nonce()),
      receivedAtMs: ports.clock.nowMs(),
      facts: undefined,
      items: 0,
      turn: undefined,
      share: budget.share(),
    };
    let answer: Answer | 'gone';
    try {
      answer = await answerCall(tools, passage);
    } catch (error) {
      answer = answerOfError(tools, passage, error);
    }
    const judgedAtMs = ports.clock.nowMs();
    passage.share.release();
    passage.turn?.end(passage.facts?.caller?.clientId);
    const limited = isLimited(answer) ? passage.facts?.caller : undefined;
    if (limited !== undefined) await holdRefusal(limited.clientId, response);
    passStep('http.before-answer', mounted.operation.id);
    const written = writeAnswer(response, mounted.operation.errors, answer, {
      requestId: passage.requestId, path: url, quota: passage.facts?.quota,
    });
    discardRest(request, config.discardedBytesMax);
    report(tools, passage, written, judgedAtMs);
    ports.signals.bodyBytesHeld({ bytes: budget.taken() });
    return written;
  });
}

function isLimited(answer: Answer | 'gone'): boolean {
  return answer !== 'gone' && answer.kind === 'refusal' && answer.code === 'rate_limited';
}

/** An outage becomes a 500 (or 429) by its code; anything else is a defect of ours: 500. */
function answerOfError({ config, ports }: CallTools, passage: Passage, error: unknown): Answer {
  const context = { operation: passage.mounted.operation.id, request_id: passage.requestId };
  const retryAfterSeconds = 1 + Math.floor(ports.random() * config.faultRetryAfterSecondsMax);
  if (isFault(error) && MAY_BE_ANSWERED.has(CODES[error.code].kind)) {
    const { code, stage } = error;
    const { kind, meaning: detail } = CODES[code];
    ports.signals.requestUnavailable({ ...context, code, stage, reason: error.message });
    return { kind: 'refusal', code, detail, ...(kind === 'fault' ? { retryAfterSeconds } : {}) };
  }
  const reason = error instanceof Error ? error.stack ?? error.message : String(error);
  ports.signals.requestCrashed({ ...context, reason });
  return { kind: 'refusal', code: 'internal', detail: CODES.internal.meaning, retryAfterSeconds };
}

function report(
  { ports }: CallTools, passage: Passage, { status, code }: Written, judgedAtMs: number,
): void {
  const { signals } = ports;
  const operation = passage.mounted.operation.id;
  signals.requestAnswered({
    operation, status, code,
    seconds: (judgedAtMs - passage.receivedAtMs) / 1_000,
    request_id: passage.requestId,
    client_id: passage.facts?.caller?.clientId,
  });
  if (code !== 'ok') signals.requestRefused({ provider: providerOf(passage), code });
  if (code === 'ok' && passage.items > 0) {
    signals.itemsAccepted({ operation, items: passage.items });
  }
}

/** Only a provider that the caller may speak for: what else is in a path, strangers chose. */
function providerOf({ routed, facts }: Passage): string {
  const { provider } = routed.params;
  if (provider === undefined) return 'none';
  return facts?.caller?.providers.includes(provider) === true ? provider : 'unknown';
}
