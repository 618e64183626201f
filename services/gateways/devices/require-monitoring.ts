import type { Monitoring } from '../../kernel/commands.ts';
import type { AdmittedCaller } from '../../kernel/admission.ts';
import type { Answer } from '../../kernel/http.ts';
import { isMonitored } from '../../domain/monitoring/result.ts';
import type { TransportId } from '../../kernel/ids.ts';

/**
 * The check of `RTT_REQUIRE_OPEN_MONITORING`: undefined when the transport was started at one of
 * the caller's providers and not stopped since, else the refusal (decisions.md, Registration).
 */
export type RequireMonitoring = (
  caller: AdmittedCaller, transportId: TransportId,
) => Promise<Answer | undefined>;

/** Makes the check with the state of the command projector. */
export function requireMonitoring(monitoring: Monitoring): RequireMonitoring {
  return async function check({ providers }, transportId) {
    const newest = await Promise.all(
      providers.map((provider) => monitoring.find(provider, transportId)),
    );
    if (newest.some(isMonitored)) return undefined;
    return {
      kind: 'refusal', code: 'monitoring_not_started',
      detail: 'The platform has not started the monitoring of this transport.',
    };
  };
}
