import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdmissionFacts } from '../../kernel/admission.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { Answer, Operation, Refusal } from '../../kernel/http.ts';
import type { SchemaCheck } from '../../kernel/schemas.ts';
import type { ReadJson } from './json/read-json.ts';
import type { WithOverdue } from './overdue.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import type { Bearer, BearerOf } from './request/bearer.ts';
import type { ByteShare } from './request/budget.ts';
import { headerReader, repeatedHeader } from './request/headers.ts';
import {
  receiveInput, understandInput, type Input, type InputReading,
} from './request/read-input.ts';
import type { QueryReading } from './request/read-query.ts';
import type { TakeSlot, Slot } from './client-concurrency.ts';

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
  readonly query: QueryReading;
}

/** What every call is answered with. */
export interface CallTools {
  readonly config: HttpConfig;
  readonly ports: HttpPorts;
  readonly readJson: ReadJson;
  readonly bearerOf: BearerOf;
  /** The caller's address behind the proxies that are trusted. */
  readonly callerAddressOf: (request: IncomingMessage) => string;
  readonly withOverdue: WithOverdue;
  readonly takeSlot: TakeSlot;
}

/** One call on its way; filled step by step, read when it is reported. */
export interface RequestContext {
  readonly mounted: Mounted;
  readonly routed: RoutedRequest;
  readonly requestId: string;
  readonly receivedAtMs: number;
  facts: AdmissionFacts | undefined;
  /** Items of the body by which admission charged the call. */
  items: number;
  /** That of a call with a token, from when its body was there until it was judged. */
  slot: Slot | undefined;
  /** Memory counted for the body. */
  readonly share: ByteShare;
}

interface Asked {
  readonly deviceId?: string;
  readonly locations: number;
}

const NO_TOKEN: Refusal = { code: 'invalid_token', detail: 'A valid access token is needed.' };

/**
 * Takes every call the same way: headers, token form, query, body, slot, JSON, schema, admission,
 * judge, operation. A fault of the input is answered only after the judge let its caller in, so
 * nobody learns anything about an operation that is closed to him. Rejects with an Unavailable, or
 * with a defect.
 */
export async function answerCall(
  tools: CallTools, context: RequestContext,
): Promise<Answer | 'gone'> {
  const { request, response, query } = context.routed;
  const { operation, check } = context.mounted;
  const repeated = repeatedHeader(request);
  if (repeated !== undefined) return refused(repeated);
  const isBearer = operation.authentication === 'bearer';
  const bearer = isBearer ? tools.bearerOf(request) : undefined;
  if (isBearer && bearer === undefined) return refused(NO_TOKEN);

  const asking = { operation, check, query };
  const received = await receiveInput(asking, request, context.share);
  if (received.kind === 'gone') return 'gone';
  const parked = bearer === undefined ? undefined : park(tools, context, bearer);
  if (parked !== undefined) {
    await parked;
    if (response.destroyed) return 'gone';
  }
  const reading = understandInput(tools.readJson, asking, received);
  const beganMs = tools.ports.clock.nowMs();
  const asked = reading.kind === 'input' ? askedOf(context, reading.input) : { locations: 0 };
  context.items = asked.locations;
  if (operation.scan !== undefined) countScan(tools, operation.id, reading);
  if (bearer !== undefined) {
    const refusal = await admit(tools, context, bearer, asked);
    if (refusal !== undefined) return refused(refusal);
  }
  if (reading.kind === 'faulty') return refused(reading.explain());
  const freshMs = asked.deviceId === undefined ? Infinity : tools.config.admissionFreshMs;
  const deadlineMs = beganMs + Math.min(tools.config.requestDeadlineMs, freshMs);
  return await handle(tools, context, reading.input, deadlineMs);
}

/** Takes the slot of a call; gives what there is to wait for when others shall come first. */
function park(
  { takeSlot, ports }: CallTools, context: RequestContext, { tokenHash }: Bearer,
): Promise<void> | undefined {
  const { mounted, routed } = context;
  context.slot = takeSlot(tokenHash, routed.response);
  const { begins } = context.slot;
  if (begins !== undefined) {
    ports.signals.count('rastro_http_parked_total', 1, { operation: mounted.operation.id });
  }
  return begins;
}

function askedOf({ mounted, routed }: RequestContext, { body, scanned }: Input): Asked {
  if (scanned !== undefined) return { deviceId: scanned.deviceId, locations: scanned.items };
  return mounted.operation.admissionOf?.({ params: routed.params, body }) ?? { locations: 0 };
}

/** How often the scanner spares the exact way, and how often a body has to go it. */
function countScan({ ports }: CallTools, operation: string, reading: InputReading): void {
  const isTaken = reading.kind === 'input' && reading.input.scanned !== undefined;
  ports.signals.count('rastro_http_bodies_scanned_total', 1, {
    operation, outcome: isTaken ? 'taken' : 'exact',
  });
}

async function admit(
  { config, ports, withOverdue }: CallTools, context: RequestContext, bearer: Bearer, asked: Asked,
): Promise<Refusal | undefined> {
  const { deviceId, locations } = asked;
  const { mounted, routed } = context;
  const { tokenHash, shard } = bearer;
  const facts = await withOverdue(
    config.requestDeadlineMs, tooSlow,
    ports.admission.read({ tokenHash, shard, deviceId, locations }),
  );
  context.facts = facts;
  const clientIdHeader = headerReader(routed.request)('x-client-id');
  return ports.judge(mounted.operation, facts, {
    params: routed.params, clientIdHeader, deviceId,
  });
}

function tooSlow(): Unavailable {
  return new Unavailable('state_unavailable', 'admit', 'admission did not answer in time');
}

/**
 * Begins the operation, unless so much time went by since admission that what it saw of a device
 * may no longer hold: a process that stalled must not act on an old "active".
 */
function handle(
  tools: CallTools, context: RequestContext, input: Input, deadlineMs: number,
): Promise<Answer> {
  const { config, ports, withOverdue } = tools;
  const { mounted: { operation }, routed } = context;
  const leftMs = deadlineMs - ports.clock.nowMs();
  if (leftMs <= 0) {
    throw new Unavailable('state_unavailable', 'admit', 'what admission saw is too old to act on');
  }
  return withOverdue(
    leftMs + config.overdueGraceMs,
    () => new Unavailable('log_timeout', 'append', `${operation.id} did not end by its deadline`),
    operation.handle({
      requestId: context.requestId,
      receivedAtMs: context.receivedAtMs,
      deadlineMs,
      get address() { return tools.callerAddressOf(routed.request); },
      params: routed.params,
      query: input.query,
      header: headerReader(routed.request),
      body: input.body,
      scanned: input.scanned,
      canonical: input.canonical,
      caller: context.facts?.caller,
      device: context.facts?.device,
      quota: context.facts?.quota,
    }),
  );
}

function refused(refusal: Refusal): Answer {
  return { kind: 'refusal', ...refusal };
}
