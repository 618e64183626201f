import type { LocationFix } from '../../../schemas/generated/types.ts';
import type { Deliver, Delivery } from '../client/deliver.ts';
import type { Requests } from '../client/requests.ts';
import type { WaitingClock } from '../ports.ts';
import { deliveryBody, type Cargo } from './deliveries.ts';
import { deriveEvents } from './events.ts';

/** What goes along with the locations of devices. */
export interface CompanionsConfig {
  /** Name of the provider, before the names of drivers and parcels. */
  readonly provider: string;
  /** Begins every external id, so that events of different runs are different. */
  readonly run: string;
  /** Every device whose transport id is a multiple of this carries parcels. */
  readonly cargoEvery: number;
}

/** Items by their end, for the status page. `events_…` are events, `deliveries_…` locations. */
export type CompanionCounts = Readonly<Record<string, number>>;

/** Sends what goes along with the fixes `from` up to, not including, `until` of one lap. */
export type Accompany = (from: number, until: number, signal: AbortSignal) => Promise<void>;

/** Begins a lap of one device. */
export type BeginLap = (
  device_id: string, cargo: Cargo, fixes: readonly LocationFix[],
) => Accompany;

interface CompanionsPorts {
  readonly deliver: Deliver;
  readonly requests: Requests;
  readonly clock: WaitingClock;
}

/**
 * Derives the events of each lap and sends them when they are over, and sends the fixes of some
 * devices as delivery locations too. Beside the ledger, which balances locations of devices alone.
 */
export function createCompanions(
  config: CompanionsConfig, { deliver, requests, clock }: CompanionsPorts,
): { readonly beginLap: BeginLap; readonly counts: () => CompanionCounts } {
  const counts: Record<string, number> = {
    events_accepted: 0, events_refused: 0, events_unknown: 0,
    deliveries_accepted: 0, deliveries_refused: 0, deliveries_unknown: 0,
  };
  let events = 0;

  function note(kind: 'events' | 'deliveries', items: number, { outcome }: Delivery): void {
    const name = `${kind}_${outcome}`;
    counts[name] = (counts[name] ?? 0) + items;
  }

  return {
    beginLap(device_id, cargo, fixes) {
      const derived = deriveEvents(fixes);
      const carries = cargo.transport_id % config.cargoEvery === 0;

      async function sendEvents(from: number, until: number, signal: AbortSignal): Promise<void> {
        const due = derived.filter(({ row }) => row >= from && row < until).map(({ event }) => {
          events += 1;
          return { ...event, external_id: `${config.run}-${events}` };
        });
        if (due.length === 0) return;
        const request = requests.events(device_id, due, clock.nowMs());
        note('events', due.length, await deliver(request, signal));
      }

      return async function accompany(from, until, signal) {
        await sendEvents(from, until, signal);
        if (!carries) return;
        const part = fixes.slice(from, until);
        const body = deliveryBody(config.provider, cargo, part, clock.nowMs());
        note('deliveries', part.length, await deliver(requests.deliveries(body), signal));
      };
    },
    counts: () => ({ ...counts }),
  };
}
