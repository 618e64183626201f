import { Unavailable } from '../../../kernel/unavailable.ts';
import type { CallTools, StageEnding, RequestContext } from '../request-context.ts';
import { headerReader } from '../request/headers.ts';

/**
 * Stage `freshness`: sets the deadline, unless so much time has passed since admission that what it
 * saw of a device may no longer hold. A process that stalled must not act on an old "active".
 */
export function checkFreshness({ config, ports }: CallTools, context: RequestContext): undefined {
  const nowMs = ports.clock.nowMs();
  const freshMs = context.deviceId === undefined ? Infinity : config.admissionFreshMs;
  const beganMs = context.beganMs ?? nowMs;
  context.deadlineMs = beganMs + Math.min(config.requestDeadlineMs, freshMs);
  if (context.deadlineMs <= nowMs) {
    throw new Unavailable('state_unavailable', 'admit', 'what admission saw is too old to act on');
  }
}

/** Stage `operation`: hands the call to its operation, which declares what it needs of it. */
export function runOperation(tools: CallTools, context: RequestContext): Promise<StageEnding> {
  const { config, ports, withOverdue } = tools;
  const { mounted: { operation }, routed, deadlineMs, facts } = context;
  const { params, request } = routed;
  return withOverdue(
    deadlineMs - ports.clock.nowMs() + config.overdueGraceMs,
    () => new Unavailable('log_timeout', 'append', `${operation.id} did not end by its deadline`),
    operation.handle({
      requestId: context.requestId,
      receivedAtMs: context.receivedAtMs,
      deadlineMs,
      get address() { return tools.callerAddressOf(request); },
      params,
      query: context.query,
      header: headerReader(request),
      body: context.body,
      canonical: context.canonical,
      sent: context.sent,
      caller: facts?.caller,
      device: facts?.device,
      quota: facts?.quota,
    }),
  );
}
