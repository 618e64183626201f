import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdmissionFacts } from '../../kernel/admission.ts';
import { CODES } from '../../kernel/codes.ts';
import { Fault, isFault } from '../../kernel/faults.ts';
import type { Answer, Operation, Refusal } from '../../kernel/http.ts';
import type { SchemaCheck } from '../../kernel/schemas.ts';
import { shardOfToken } from '../../kernel/shards.ts';
import { createReadJson } from './json/read-json.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { createByteBudget } from './request/budget.ts';
import { bearerToken, headerReader, repeatedHeader, requestIdOf } from './request/headers.ts';
import { readInput, type Input } from './request/read-input.ts';
import { writeAnswer, type Written } from './write-answer.ts';
import { withOverdue } from './overdue.ts';

/** An operation with what was made of it at boot. */
export interface Mounted {
  readonly operation: Operation;
  readonly check: SchemaCheck | undefined;
}

/** A request as the router hands it over: its path parameters are decoded. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Answers one call, whatever happens. */
export type ServeCall = (mounted: Mounted, routed: RoutedRequest) => Promise<void>;

/** The state of one call on its way, filled step by step. */
interface Passage {
  readonly requestId: string;
  readonly receivedAtMs: number;
  facts: AdmissionFacts | undefined;
  /** Items of the body by which admission charged the call. */
  items: number;
  release: () => void;
}

/**
 * Takes every call the same way: headers, token form, query, body, JSON, schema, admission, judge,
 * operation, answer. A fault of the input is answered only after the judge let its caller in, so
 * nobody learns anything about an operation that is closed to him.
 */
export function createServeCall(config: HttpConfig, ports: HttpPorts): ServeCall {
  const { clock, ids, signals } = ports;
  const inputPorts = {
    countries: config.countries,
    readJson: createReadJson(config.bodyDepthMax),
    budget: createByteBudget(config.bodyBytesInFlightMax),
  };

  async function answerCall(
    { operation, check }: Mounted, routed: RoutedRequest, passage: Passage,
  ): Promise<Answer | 'gone'> {
    const { request } = routed;
    const repeated = repeatedHeader(request.rawHeaders);
    if (repeated !== undefined) return refusal(repeated);
    const token = operation.authentication === 'bearer'
      ? bearerToken(request.headers.authorization)
      : undefined;
    const shard = token === undefined ? undefined : shardOfToken(token);
    if (operation.authentication === 'bearer' && shard === undefined) return refusal(NO_TOKEN);

    const reading = await readInput(inputPorts, operation, check, request, routed.url);
    passage.release = reading.release;
    if (reading.kind === 'gone') return 'gone';
    const input = reading.kind === 'input' ? reading.input : undefined;
    const beganMs = clock.nowMs();
    const asked = input === undefined ? undefined : askedOf(operation, routed, input);
    passage.items = asked?.locations ?? 0;
    if (token !== undefined && shard !== undefined) {
      const refused = await withOverdue(
        config.requestDeadlineMs,
        () => new Fault('state_unavailable', 'admit', 'admission did not answer in time'),
        admit(operation, routed, passage, { token, shard, ...asked }),
      );
      if (refused !== undefined) return refusal(refused);
    }
    if (reading.kind === 'faulty') return refusal(reading.explain());
    const freshMs = asked?.deviceId === undefined ? Infinity : config.admissionFreshMs;
    const deadlineMs = beganMs + Math.min(config.requestDeadlineMs, freshMs);
    return handle(operation, routed, passage, reading.input, deadlineMs);
  }

  async function admit(
    operation: Operation, routed: RoutedRequest, passage: Passage,
    asked: { token: string; shard: number; deviceId?: string; locations?: number },
  ): Promise<Refusal | undefined> {
    const { deviceId } = asked;
    const facts = await ports.admission.read({
      tokenHash: hash('sha256', asked.token, 'hex'),
      shard: asked.shard,
      deviceId,
      locations: asked.locations ?? 0,
    });
    passage.facts = facts;
    const clientIdHeader = headerReader(routed.request)('x-client-id');
    return ports.judge(operation, facts, { params: routed.params, clientIdHeader, deviceId });
  }

  async function handle(
    operation: Operation, routed: RoutedRequest, passage: Passage, input: Input,
    deadlineMs: number,
  ): Promise<Answer> {
    if (clock.nowMs() >= deadlineMs) {
      throw new Fault('state_unavailable', 'admit', 'what admission saw is too old to act on');
    }
    return withOverdue(
      deadlineMs - clock.nowMs() + config.overdueGraceMs,
      () => new Fault('log_timeout', 'append', `${operation.id} did not end by its deadline`),
      operation.handle({
        requestId: passage.requestId,
        receivedAtMs: passage.receivedAtMs,
        deadlineMs,
        address: routed.request.socket.remoteAddress ?? '',
        params: routed.params,
        query: input.query,
        header: headerReader(routed.request),
        body: input.body,
        canonical: input.canonical,
        caller: passage.facts?.caller,
        device: passage.facts?.device,
        quota: passage.facts?.quota,
      }),
    );
  }

  function answerOfError(error: unknown, operation: Operation, requestId: string): Answer {
    const retryAfterSeconds = 1 + Math.floor(ports.random() * config.faultRetryAfterSecondsMax);
    if (isFault(error) && MAY_BE_ANSWERED.has(CODES[error.code].kind)) {
      signals.log('warn', 'call_fault', {
        operation: operation.id, request_id: requestId, code: error.code, stage: error.stage,
        reason: error.message,
      });
      const isThrottled = CODES[error.code].kind === 'throttled';
      const detail = CODES[error.code].meaning;
      return refusal({ code: error.code, detail, ...(isThrottled ? {} : { retryAfterSeconds }) });
    }
    signals.log('error', 'call_defect', {
      operation: operation.id, request_id: requestId,
      reason: error instanceof Error ? error.stack ?? error.message : String(error),
    });
    return refusal({ code: 'internal', detail: CODES.internal.meaning, retryAfterSeconds });
  }

  function report(operation: Operation, passage: Passage, written: Written): void {
    const seconds = (clock.nowMs() - passage.receivedAtMs) / 1_000;
    const labels = { operation: operation.id, status: written.status, code: written.code };
    signals.count('rastro_http_requests_total', 1, labels);
    signals.observe('rastro_http_request_seconds', seconds, { operation: operation.id });
    if (written.code === 'ok' && passage.items > 0) {
      signals.count('rastro_accepted_items_total', passage.items, { operation: operation.id });
    }
    signals.gauge('rastro_http_body_bytes_held', inputPorts.budget.taken());
    signals.log('debug', 'call_answered', {
      ...labels, request_id: passage.requestId, client_id: passage.facts?.caller?.clientId,
    });
  }

  return async function serveCall(mounted, { request, response, url, params }) {
    const { operation } = mounted;
    const passage: Passage = {
      requestId: requestIdOf(request, () => ids.nonce()),
      receivedAtMs: clock.nowMs(),
      facts: undefined,
      items: 0,
      release: () => undefined,
    };
    const routed = { request, response, url, params };
    let answer: Answer | 'gone';
    try {
      answer = await answerCall(mounted, routed, passage);
    } catch (error) {
      answer = answerOfError(error, operation, passage.requestId);
    }
    const written = writeAnswer(response, operation.errors, answer, {
      requestId: passage.requestId, path: url, quota: passage.facts?.quota,
    });
    passage.release();
    discardRest(request, config.discardedBytesMax);
    report(operation, passage, written);
  };
}

const NO_TOKEN: Refusal = { code: 'invalid_token', detail: 'A valid access token is needed.' };

// A fault of any other kind would tell a caller that an outage is his mistake (GEN-02).
const MAY_BE_ANSWERED: ReadonlySet<string> = new Set(['fault', 'throttled']);

function refusal(refused: Refusal): Answer {
  return { kind: 'refusal', ...refused };
}

function askedOf(
  operation: Operation, { params }: RoutedRequest, { body }: Input,
): { deviceId?: string; locations: number } {
  return operation.admissionOf?.({ params, body }) ?? { locations: 0 };
}

/** Throws away what still comes of an unread body, and cuts the line when it does not end. */
export function discardRest(request: IncomingMessage, bytesMax: number): void {
  if (request.complete) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > bytesMax) request.socket.destroy();
  });
  request.resume();
}
