import type { LocationFix } from '../../../schemas/generated/types.ts';
import type { Deliver } from '../client/deliver.ts';
import type { Requests } from '../client/requests.ts';
import { sentDeliveryIdentities, sentEventIdentity } from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WaitingClock } from '../ports.ts';
import { deliveryBody, driverOf, traceablesOf, type Cargo } from './deliveries.ts';
import { deriveEvents } from './events.ts';

/** What goes along with the locations of devices. */
export interface CompanionsConfig {
  /** Name of the provider, before the names of drivers and parcels. */
  readonly provider: string;
  /** In every external id and parcel, so that those of different runs are different. */
  readonly run: string;
  /** Every device whose transport id is a multiple of this carries parcels. */
  readonly cargoEvery: number;
}

/** Sends what goes along with the fixes `from` up to, not including, `until` of one lap. */
export type Accompany = (from: number, until: number, signal: AbortSignal) => Promise<void>;

/** Begins a lap of one device. */
export type BeginLap = (
  device_id: string, cargo: Cargo, fixes: readonly LocationFix[],
) => Accompany;

interface CompanionsPorts {
  readonly deliver: Deliver;
  readonly requests: Requests;
  readonly ledger: Pick<Ledger, 'beginItems' | 'end'>;
  readonly clock: WaitingClock;
}

/**
 * Derives the events of each lap and sends them when they are over, and sends the fixes of some
 * devices as delivery locations too.
 */
export function createCompanions(
  config: CompanionsConfig, { deliver, requests, ledger, clock }: CompanionsPorts,
): { readonly beginLap: BeginLap } {
  let events = 0;

  return {
    beginLap(device_id, cargo, fixes) {
      const derived = deriveEvents(fixes);
      const carries = Number(cargo.transport_id) % config.cargoEvery === 0;

      async function sendEvents(from: number, until: number, signal: AbortSignal): Promise<void> {
        const due = derived.filter(({ row }) => row >= from && row < until).map(({ event }) => {
          events += 1;
          return { ...event, external_id: `${config.run}-${events}` };
        });
        if (due.length === 0) return;
        const identities = due.map((event) => sentEventIdentity(device_id, event));
        const post = ledger.beginItems('events', identities);
        const request = requests.events(device_id, due, clock.nowMs());
        ledger.end(post, await deliver(request, signal));
      }

      async function sendDeliveries(
        part: readonly LocationFix[], signal: AbortSignal,
      ): Promise<void> {
        const driver = driverOf(config.provider, cargo);
        const traceables = traceablesOf(config, cargo);
        const post = ledger.beginItems('deliveries', part.flatMap((fix) =>
          sentDeliveryIdentities(fix, driver, traceables)));
        const body = deliveryBody(driver, traceables, cargo, part, clock.nowMs());
        ledger.end(post, await deliver(requests.deliveries(body), signal));
      }

      return async function accompany(from, until, signal) {
        await sendEvents(from, until, signal);
        if (carries) await sendDeliveries(fixes.slice(from, until), signal);
      };
    },
  };
}
