import { CALL_BYTES_INCLUDED } from '../../../kernel/limits.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { CallTools, StageEnding, RequestContext } from '../request-context.ts';
import { headerReader, repeatedHeader } from '../request/headers.ts';

const NO_TOKEN: StageEnding = {
  kind: 'refusal', code: 'invalid_token', detail: 'A valid access token is needed.',
};

/** Stage `headers`. */
export function checkHeaders(_: CallTools, { routed }: RequestContext): StageEnding | undefined {
  const repeated = repeatedHeader(routed.request);
  return repeated === undefined ? undefined : { kind: 'refusal', ...repeated };
}

/** Stage `token`. */
export function readToken(tools: CallTools, context: RequestContext): StageEnding | undefined {
  if (context.mounted.operation.authentication !== 'bearer') return undefined;
  context.bearer = tools.bearerOf(context.routed.request);
  return context.bearer === undefined ? NO_TOKEN : undefined;
}

/** Stage `slot`: takes the slot of a call, and waits for it when others shall come first. */
export function waitForSlot(
  { takeSlot, ports }: CallTools, context: RequestContext,
): Promise<StageEnding | undefined> | undefined {
  const { mounted, routed: { response }, bearer } = context;
  if (bearer === undefined) return undefined;
  context.slot = takeSlot(bearer.tokenHash, response);
  const { begins } = context.slot;
  if (begins === undefined) return undefined;
  ports.signals.requestQueued({ operation: mounted.operation.id });
  return begins.then(() => response.destroyed ? 'gone' : undefined);
}

/**
 * Stage `admission`: a call whose input is refused is charged without device and locations, but
 * with the bytes that it took.
 */
export async function readFacts(
  { config, ports, withOverdue }: CallTools, context: RequestContext,
): Promise<undefined> {
  const { mounted: { operation }, bearer, refused, body, bytes } = context;
  if (bearer === undefined) return;
  context.beganMs = ports.clock.nowMs();
  const charge = refused === undefined ? operation.admissionOf?.(body) : undefined;
  context.deviceId = charge?.deviceId;
  context.items = charge?.locations ?? 0;
  const { tokenHash, shard } = bearer;
  context.facts = await withOverdue(
    config.requestDeadlineMs, tooSlow,
    ports.admission.read({
      tokenHash, shard, deviceId: context.deviceId, locations: context.items,
      bytes: Math.max(0, (bytes?.length ?? 0) - CALL_BYTES_INCLUDED),
    }),
  );
}

function tooSlow(): Unavailable {
  return new Unavailable('state_unavailable', 'admit', 'admission did not answer in time');
}

/** Stage `authorization`. */
export function authorizeCaller(
  { ports }: CallTools, { mounted: { operation }, routed, deviceId, facts }: RequestContext,
): StageEnding | undefined {
  if (operation.authentication !== 'bearer' || facts === undefined) return undefined;
  const refusal = ports.authorize(operation, facts, {
    params: routed.params,
    clientIdHeader: headerReader(routed.request)('x-client-id'),
    deviceId,
  });
  return refusal === undefined ? undefined : { kind: 'refusal', ...refusal };
}
