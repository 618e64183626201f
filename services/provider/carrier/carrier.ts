import { readJourneys } from './journeys.ts';
import { runShipment, type CarrierShipmentPorts } from './shipment.ts';
import { shipmentIdOf } from './shipment-id.ts';

/** How many shipments there are, and how fast they go. */
export interface CarrierConfig {
  /** In every shipment id, so that those of different runs are different. */
  readonly run: string;
  /** Shipments in progress at the same time. */
  readonly shipments: number;
  /** Time over which their first beginnings are spread. */
  readonly startSpreadMs: number;
  /** Time on the wall from one push about a shipment to the next. */
  readonly stepMs: number;
  /** False when no new shipment follows one that has ended. */
  readonly isEndless: boolean;
  /** Wait after a refusal, so that a platform that refuses all is not asked in a tight loop. */
  readonly refusedWaitMs: number;
}

/** The carrier that this provider also plays. */
export interface Carrier {
  /** Ends when every shipment that was begun has its end; none is begun any more. */
  readonly drain: () => Promise<void>;
  readonly counts: () => { readonly shipments: number; readonly shipments_ended: number };
}

/** Authorizes shipments and pushes their recorded journeys, so many at a time. */
export function runCarrier(
  config: CarrierConfig, carrierPorts: Omit<CarrierShipmentPorts, 'halt'>,
): Carrier {
  const halt = new AbortController();
  const ports = { ...carrierPorts, halt: halt.signal };
  const journeys = readJourneys();
  let begun = 0;
  let ended = 0;

  async function runShipments(index: number): Promise<void> {
    await ports.clock.wait((config.startSpreadMs * index) / config.shipments, halt.signal);
    while (!halt.signal.aborted) {
      const number = begun;
      const journey = journeys[number % journeys.length];
      if (journey === undefined) return;
      begun += 1;
      const isDone = await runShipment({
        number, journey, stepMs: config.stepMs,
        shipment_id: shipmentIdOf(config.run, number),
        transport_order_id: `order-${config.run}-${number}`,
      }, ports);
      if (isDone) ended += 1;
      if (!config.isEndless) return;
      if (!isDone) await ports.clock.wait(config.refusedWaitMs, halt.signal);
    }
  }

  const running = Promise.all(
    Array.from({ length: config.shipments }, (_, index) => runShipments(index)),
  );
  return {
    async drain() {
      halt.abort();
      await running;
    },
    counts: () => ({ shipments: begun, shipments_ended: ended }),
  };
}
