import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { ShipmentJourney, ShipmentStates } from '../../services/kernel/shipments.ts';

interface Kept {
  authorized?: string;
  carrier?: string;
  reserved?: { clientId: string; untilMs: number; after: string | undefined };
  journey?: ShipmentJourney;
}

/** {@link ShipmentStates} in memory, for the tests of who uses them. */
export interface FakeShipments extends ShipmentStates {
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  /** Forgets everything; until {@link FakeShipments.markReady} it is not ready either. */
  wipe(): void;
  markReady(): void;
  /** Every journey, to compare two stores. */
  journeys(): Readonly<Record<string, ShipmentJourney | undefined>>;
}

/** How long a store counts as rebuilt just now. */
const DOUBT_MS = 60_000;

/** Makes an empty, ready store that obeys `shipment-states.suite.ts`. */
export function fakeShipments(
  nowMs: () => number = () => Date.now(), leaseMs = 10_000,
): FakeShipments {
  let kept = new Map<string, Kept>();
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;
  let isReady = true;
  let inDoubtUntilMs = 0;

  const guard = (isMarked: boolean): void => {
    if (failure !== undefined) throw new Unavailable(failure, 'decide', 'as the test asked');
    if (isMarked && !isReady) throw new Unavailable('state_not_ready', 'decide', 'no ready mark');
  };
  const at = (trackingNumber: string): Kept => {
    const found = kept.get(trackingNumber) ?? {};
    kept.set(trackingNumber, found);
    return found;
  };

  return {
    async find(trackingNumber) {
      guard(true);
      const { authorized, carrier, journey } = kept.get(trackingNumber) ?? {};
      const owner = authorized ?? carrier;
      if (owner === undefined && journey === undefined) return undefined;
      return { carrier: owner, state: journey?.state };
    },
    async claim(trackingNumbers, clientId) {
      guard(true);
      const ones = [...new Set(trackingNumbers)].map(at);
      const owners = ones.map(({ authorized, carrier }) => authorized ?? carrier);
      if (owners.some((owner) => owner !== undefined && owner !== clientId)) return 'foreign';
      const free = ones.filter((_, index) => owners[index] === undefined);
      if (free.some(({ reserved }) => reserved !== undefined && reserved.clientId !== clientId
        && reserved.untilMs > nowMs())) return 'busy';
      for (const one of free) {
        const { clientId: other = clientId, after } = one.reserved ?? {};
        one.reserved = {
          clientId, untilMs: nowMs() + leaseMs, after: other === clientId ? after : other,
        };
      }
      return free.length === 0 ? 'owned' : 'reserved';
    },
    async confirm(trackingNumbers, clientId) {
      guard(true);
      const answers = trackingNumbers.map((trackingNumber) => {
        const one = at(trackingNumber);
        const owner = one.authorized ?? one.carrier;
        if (owner !== undefined) return owner === clientId ? 'owned' : 'foreign';
        const isHeld = one.reserved?.clientId === clientId && one.reserved.untilMs > nowMs()
          && one.reserved.after === undefined && inDoubtUntilMs <= nowMs();
        if (!isHeld) return 'unknown';
        one.carrier = clientId;
        delete one.reserved;
        return 'owned';
      });
      if (answers.includes('foreign')) return 'foreign';
      return answers.includes('unknown') ? 'unknown' : 'owned';
    },
    async authorize(trackingNumber, clientId) {
      guard(false);
      at(trackingNumber).authorized = clientId;
    },
    async loadJourneys(trackingNumbers, isMarked) {
      guard(isMarked);
      return new Map(trackingNumbers.flatMap((trackingNumber) => {
        const journey = kept.get(trackingNumber)?.journey;
        return journey === undefined ? [] : [[trackingNumber, structuredClone(journey)]];
      }));
    },
    async putJourneys(journeys) {
      guard(false);
      for (const [trackingNumber, journey] of journeys) {
        const one = at(trackingNumber);
        const place = one.journey?.position;
        const isFurther = place?.topic_id !== journey.position.topic_id
          || journey.position.offset > place.offset;
        if (!isFurther) continue;
        Object.assign(one, { journey: structuredClone(journey), carrier: journey.carrier });
        delete one.reserved;
      }
    },
    failWith: (code) => { failure = code; },
    wipe: () => {
      kept = new Map();
      isReady = false;
    },
    markReady: () => {
      if (!isReady) inDoubtUntilMs = nowMs() + DOUBT_MS;
      isReady = true;
    },
    journeys: () => Object.fromEntries(
      [...kept].sort().map(([trackingNumber, { journey }]) => [trackingNumber, journey]),
    ),
  };
}
