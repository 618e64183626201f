import type { Clock, Pause } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Call } from '../../kernel/http.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';

/** How long a call waits for another carrier that is just notifying, and how often it looks. */
export interface OwnConfig {
  readonly raceWaitMsMax: number;
  readonly racePollMs: number;
}

/** What claiming shipments needs from outside. */
export interface OwnPorts {
  readonly shipments: Pick<ShipmentStates, 'claim'>;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * Makes sure that every shipment of a call is the caller's: already, or reserved for it until it is
 * confirmed. While another carrier has one reserved, nobody can say whose it will be: that is
 * waited for, and then Fault `state_busy`, never a refusal.
 */
export async function ownShipments(
  config: OwnConfig, ports: OwnPorts, call: Call, trackingNumbers: readonly string[],
): Promise<'owned' | 'reserved' | 'foreign'> {
  const until = Math.min(call.deadlineMs, ports.clock.nowMs() + config.raceWaitMsMax);
  for (;;) {
    const answer = await ports.shipments.claim(trackingNumbers, call.caller?.clientId ?? '');
    if (answer !== 'busy') return answer;
    if (ports.clock.nowMs() >= until) {
      throw new Fault('state_busy', 'decide', 'another carrier notifies the same shipment');
    }
    await ports.pause(config.racePollMs);
  }
}
