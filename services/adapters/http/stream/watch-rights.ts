import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { CallTools, RequestContext } from '../request-context.ts';
import { authorizeFor, readFactsOf } from '../stages/head.ts';

/**
 * Authorizes the caller of a stream again and again, without a charge. Calls `lost` once it may no
 * longer call, or has other rights than it began with: its token ended, or its client lost a
 * provider. It may then call again and go on with those. While the state store does not answer the
 * stream goes on, for `streamUncheckedMsMax` at most. Returns how to stop.
 */
export function watchRights(
  tools: CallTools, context: RequestContext, lost: () => void,
): () => void {
  const { config, ports } = tools;
  const { mounted: { operation } } = context;
  if (operation.authentication !== 'bearer') return () => undefined;
  const bearerOperation = operation;
  const begunWith = rightsOf(context.facts?.caller);
  let checkedAtMs = ports.clock.nowMs();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function mayStay(): Promise<boolean> {
    try {
      const facts = await readFactsOf(tools, context, {
        deviceId: undefined, locations: 0, notifications: 0, bytes: 0, charges: false,
      });
      checkedAtMs = ports.clock.nowMs();
      const refusal = authorizeFor(tools, context, bearerOperation, facts, undefined);
      return (refusal === undefined || refusal.code === 'rate_limited')
        && rightsOf(facts.caller) === begunWith;
    } catch (error) {
      if (!isUnavailable(error)) {
        const reason = error instanceof Error ? error.stack ?? error.message : String(error);
        ports.signals.requestCrashed({
          operation: operation.id, request_id: context.requestId, reason,
        });
        return false;
      }
      return ports.clock.nowMs() - checkedAtMs < config.streamUncheckedMsMax;
    }
  }

  function wait(): void {
    timer = setTimeout(() => {
      void mayStay().then((may) => {
        if (isStopped) return;
        if (may) wait();
        else lost();
      });
    }, config.streamRecheckMs);
  }

  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function rightsOf(caller: AdmittedCaller | undefined): string {
  return JSON.stringify([caller?.clientId, caller?.scopes, caller?.providers]);
}
