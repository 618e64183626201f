import type { CallTools, StageEnding, RequestContext } from '../request-context.ts';
import { dryRunInHeaders, knowsDryRuns } from '../request/dry-run-wish.ts';
import { repeatedHeader } from '../request/headers.ts';
import { tokenFault } from '../request/token-fault.ts';
import { unpackLargeBody } from './input.ts';
import { bytesBeyond, authorizeFor, rememberOutcome, readFactsOf } from './head.ts';

/** Stage `headers`: refuses also a wish for a dry run, which a header cannot express. */
export function checkHeaders(
  _: CallTools, { routed: { request }, mounted: { operation } }: RequestContext,
): StageEnding | undefined {
  const refusal = repeatedHeader(request)
    ?? (knowsDryRuns(operation) ? dryRunInHeaders(request.headers) : undefined);
  return refusal === undefined ? undefined : { kind: 'refusal', ...refusal };
}

/** Stage `token`. */
export function readToken(tools: CallTools, context: RequestContext): StageEnding | undefined {
  if (context.mounted.operation.authentication !== 'bearer') return undefined;
  const { routed: { request }, mounted: { operation } } = context;
  context.bearer = tools.bearerOf(request, operation);
  if (context.bearer !== undefined) return undefined;
  return { kind: 'refusal', ...tokenFault(request.headers.authorization, operation) };
}

/**
 * Stage `slot`: takes the slot of a call, and waits for it when others shall come first. A large
 * body then waits for its turn among large bodies.
 */
export function waitForSlot(
  tools: CallTools, context: RequestContext,
): Promise<StageEnding | undefined> | undefined {
  const { mounted, routed: { response }, bearer } = context;
  if (bearer === undefined) return undefined;
  context.slot = tools.takeSlot(bearer.tokenHash, response);
  const { begins } = context.slot;
  if (begins === undefined) return waitForLargeBodies(tools, context);
  tools.ports.signals.requestQueued({ operation: mounted.operation.id });
  return begins.then(() => response.destroyed ? 'gone' : waitForLargeBodies(tools, context));
}

function waitForLargeBodies(
  { largeBodies }: CallTools, context: RequestContext,
): Promise<StageEnding | undefined> | undefined {
  const { bytes, packed, mounted: { operation }, clientId = '', routed: { response } } = context;
  // How large a packed body will be is not known; it is no small one.
  const bytesMax = packed === undefined ? bytes?.length ?? 0 : operation.bodyBytesMax;
  return largeBodies.enter(clientId, bytesMax, response)?.then((leave) => {
    context.finishLargeBody = leave;
    return leave === undefined ? 'gone' : unpackLargeBody(context);
  });
}

/**
 * Stage `admission`: a call whose input is refused is charged without device and items, but
 * with the bytes that it took.
 */
export async function readFacts(tools: CallTools, context: RequestContext): Promise<undefined> {
  const { mounted: { operation }, bearer, refused, body, bytes } = context;
  if (bearer === undefined) return;
  context.beganMs = tools.ports.clock.nowMs();
  const charge = refused === undefined ? operation.admissionOf?.(body) : undefined;
  context.deviceId = charge?.deviceId;
  context.items.locations = charge?.locations ?? 0;
  context.items.notifications = charge?.notifications ?? 0;
  context.facts = await readFactsOf(tools, context, {
    deviceId: context.deviceId, ...context.items,
    bytes: bytesBeyond(bytes?.length ?? 0), charges: true,
  });
}

/**
 * Stage `authorization`: also keeps in mind whose next body may be read at once, and counts what a
 * caller that was let in uses.
 */
export function authorizeCaller(
  tools: CallTools, context: RequestContext,
): StageEnding | undefined {
  const { mounted: { operation }, bearer, deviceId, facts } = context;
  if (operation.authentication !== 'bearer' || facts === undefined) return undefined;
  const refusal = authorizeFor(tools, context, operation, facts, deviceId);
  const { caller } = facts;
  const outcome = refusal === undefined
    ? caller && { clientId: caller.clientId } : { refusedWith: refusal.code };
  if (bearer !== undefined && outcome !== undefined) {
    rememberOutcome(tools, context.routed.request, bearer.tokenHash, outcome);
  }
  if (refusal !== undefined) return { kind: 'refusal', ...refusal };
  if (caller !== undefined) {
    tools.tenants.count(caller, {
      calls: 1, ...context.items, bytes: context.bytes?.length ?? 0,
    });
  }
  return undefined;
}
