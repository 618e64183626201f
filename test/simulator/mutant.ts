import { shardOf } from '../../services/kernel/shards.ts';
import type { ShipmentJourney } from '../../services/kernel/shipments.ts';
import type { StateKey } from '../../services/kernel/state-store.ts';
import type { FakeStateStore } from '../support/fake-state-store.ts';
import type { SimulationFlaws } from './core/simulation.ts';

/** A defect that a handler or an adapter could have, and the model that must see it. */
export interface SimMutant {
  readonly name: string;
  readonly model: string;
  /** The invariants of which one at least must be named. */
  readonly breaks: readonly string[];
  readonly flaws: () => SimulationFlaws;
  /** Where the search begins; rare ones begin near a schedule that is known to show them. */
  readonly seed: number;
}

/** Changes one port, as the product sees it. */
export function bent<Port extends object>(
  name: string, bend: (port: Port) => Partial<Port>,
): SimulationFlaws {
  return {
    port: (own, port) => own === name ? { ...port, ...bend(port as Port) } : port,
  };
}

/** Stores a journey whatever is there. */
export async function overwrite(
  store: FakeStateStore | undefined, id: string, journey: ShipmentJourney,
): Promise<void> {
  const key: StateKey = { shard: shardOf(id), kind: 'shipment', id };
  const { topic_id, offset } = journey.last_notification;
  await store?.commit([{
    entries: [{
      key, version: store.entry(key)?.version ?? 0, drop: ['reserved', 'reserved_until_ms'],
      set: {
        topic_id, offset: String(offset), carrier: journey.carrier,
        journey: JSON.stringify(journey),
      },
    }],
  }], { requireReady: false });
}
