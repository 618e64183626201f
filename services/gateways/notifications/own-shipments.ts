import type { Clock, Pause } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { Call } from '../../kernel/http.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';

/** How long a call waits for another carrier that is just notifying, and how often it looks. */
export interface OwnConfig {
  readonly raceWaitMsMax: number;
  readonly racePollMs: number;
}

/** What claiming shipments needs from outside. */
export interface OwnPorts {
  readonly shipments: Pick<ShipmentStates, 'claim' | 'confirm'>;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * Makes sure that every shipment of a call is the caller's: already, or reserved for it until it is
 * confirmed. While another carrier has one reserved, nobody can say whose it will be: that is
 * waited for, and then `Unavailable` `state_busy`, never a refusal.
 */
export async function ownShipments(
  config: OwnConfig, ports: OwnPorts, call: Call, trackingNumbers: readonly string[],
): Promise<'owned' | 'reserved' | 'foreign'> {
  const until = Math.min(call.deadlineMs, ports.clock.nowMs() + config.raceWaitMsMax);
  const claim = () => ports.shipments.claim(trackingNumbers, call.caller?.clientId ?? '');
  return answerBut('busy', config, ports, until, claim);
}

/**
 * Makes the caller the carrier of what was reserved for it, now that its notifications are in the
 * log. Whoever lost its reservation on the way waits for the keeper, which makes the first in the
 * log the carrier; Unavailable `state_busy` when that is another, or not known in time.
 */
export async function confirmShipments(
  config: OwnConfig, ports: OwnPorts, call: Call, trackingNumbers: readonly string[],
): Promise<void> {
  const confirm = () => ports.shipments.confirm(trackingNumbers, call.caller?.clientId ?? '');
  const answer = await answerBut('unknown', config, ports, call.deadlineMs, confirm);
  if (answer === 'foreign') {
    throw new Unavailable('state_busy', 'decide', 'another carrier notified the same shipment first');
  }
}

/** Asks until the answer is another than this one; Unavailable `state_busy` past `until`. */
async function answerBut<Answer extends string, Passing extends Answer>(
  passing: Passing, config: OwnConfig, ports: OwnPorts, until: number, ask: () => Promise<Answer>,
): Promise<Exclude<Answer, Passing>> {
  for (;;) {
    const answer = await ask();
    if (answer !== passing) return answer as Exclude<Answer, Passing>;
    if (ports.clock.nowMs() >= until) {
      throw new Unavailable('state_busy', 'decide', 'another carrier notifies the same shipment');
    }
    await ports.pause(config.racePollMs);
  }
}
