import type { IncomingMessage } from 'node:http';
import type { AdmissionFacts, AdmissionRequest } from '../../../kernel/admission.ts';
import type { Code } from '../../../kernel/codes.ts';
import type { Operation, Refusal } from '../../../kernel/http.ts';
import { CALL_BYTES_INCLUDED } from '../../../kernel/limits.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { CallTools, RequestContext, StageEnding } from '../request-context.ts';
import { headerReader } from '../request/headers.ts';

/**
 * Stage `head`: the caller is authorized before a byte of the body is read, so that a stranger's
 * body costs no more than reading the facts of its token. A token that was let in recently is
 * authorized once, with its body (ADR 0048). Nothing is charged here.
 */
export function authorizeHead(
  tools: CallTools, context: RequestContext,
): StageEnding | undefined | Promise<StageEnding | undefined> {
  const { bearer, mounted: { operation }, routed: { request } } = context;
  if (bearer === undefined) return undefined;
  context.clientId = tools.knownTokens.clientOf(bearer.tokenHash);
  if (tools.knownTokens.isKnown(bearer.tokenHash)) return undefined;
  if (!tools.knownTokens.wasLetIn(bearer.tokenHash)) {
    const address = tools.callerAddressOf(request);
    const waitSeconds = tools.badTokens.waitSeconds(address, bearer.tokenHash);
    if (waitSeconds > 0) return tooManyBadTokens(waitSeconds);
  }
  return operation.bodyKind === 'none' ? undefined : inspectHead(tools, context);
}

async function inspectHead(
  tools: CallTools, context: RequestContext,
): Promise<StageEnding | undefined> {
  const { mounted: { operation }, bearer, routed: { request } } = context;
  if (operation.authentication !== 'bearer' || bearer === undefined) return undefined;
  const facts = await readFactsOf(tools, context, {
    deviceId: undefined, locations: 0, notifications: 0,
    bytes: bytesBeyond(announcedBytes(request)), charges: false,
  });
  const refusal = authorizeFor(tools, context, operation, facts, undefined);
  if (refusal === undefined) {
    context.clientId = facts.caller?.clientId;
    return undefined;
  }
  context.facts = facts;
  rememberOutcome(tools, request, bearer.tokenHash, { refusedWith: refusal.code });
  return { kind: 'refusal', ...refusal };
}

/** Reads the facts of a call within its deadline; only for calls with a token. */
export async function readFactsOf(
  { config, ports, withOverdue, tenants }: CallTools, { bearer }: RequestContext,
  cost: Omit<AdmissionRequest, 'tokenHash' | 'shard' | 'deviceId'> & { deviceId: string | undefined },
): Promise<AdmissionFacts> {
  if (bearer === undefined) throw new Error('A call without a token has no facts.');
  const { tokenHash, shard } = bearer;
  return tenants.limit(await withOverdue(
    config.requestDeadlineMs,
    () => new Unavailable('state_unavailable', 'admit', 'admission did not answer in time'),
    ports.admission.read({ tokenHash, shard, ...cost }),
  ));
}

/** Decides from the facts; a refusal, or nothing when the caller is let in. */
export function authorizeFor(
  { ports }: CallTools, { routed }: RequestContext, operation: Operation<'bearer'>,
  facts: AdmissionFacts, deviceId: string | undefined,
): Refusal | undefined {
  return ports.authorize(operation, facts, {
    params: routed.params,
    clientIdHeader: headerReader(routed.request)('x-client-id'),
    deviceId,
  });
}

/** Keeps in mind whose next body may be read at once, and who sends tokens that are not good. */
export function rememberOutcome(
  { knownTokens, badTokens, callerAddressOf }: CallTools, request: IncomingMessage,
  tokenHash: string, outcome: { readonly refusedWith: Code } | { readonly clientId: string },
): void {
  if ('clientId' in outcome) {
    knownTokens.letIn(tokenHash, outcome.clientId);
    badTokens.makeUp(() => callerAddressOf(request));
    return;
  }
  const { refusedWith } = outcome;
  if (refusedWith === 'rate_limited' || refusedWith === 'invalid_token') {
    knownTokens.forget(tokenHash);
  }
  if (refusedWith === 'invalid_token') badTokens.count(callerAddressOf(request), tokenHash);
}

/** Bytes that count against the limit of the client. */
export function bytesBeyond(bytes: number): number {
  return Math.max(0, bytes - CALL_BYTES_INCLUDED);
}

/** At least so many bytes will the body have; it may be packed, or of unknown length. */
function announcedBytes({ headers }: IncomingMessage): number {
  return headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
}

function tooManyBadTokens(retryAfterSeconds: number): StageEnding {
  return {
    kind: 'refusal', code: 'rate_limited', retryAfterSeconds,
    detail: 'Too many calls with tokens that are not valid came from this address; '
      + `a token that was never let in is checked when it comes again in ${retryAfterSeconds} s.`,
  };
}
