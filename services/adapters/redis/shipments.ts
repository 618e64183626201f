import { shardOf } from '../../kernel/shards.ts';
import type {
  ShipmentClaimAnswer, ShipmentConfirmAnswer, ShipmentJourney, ShipmentStates, StoredShipment,
} from '../../kernel/shipments.ts';
import type { RedisConfig } from './config.ts';
import { keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf } from './shards.ts';
import { toFields } from './texts.ts';

/** Order of the answers: the worst of several calls counts. */
const CLAIMED: readonly ShipmentClaimAnswer[] = ['owned', 'reserved', 'busy', 'foreign'];
const CONFIRMED: readonly ShipmentConfirmAnswer[] = ['owned', 'unknown', 'foreign'];

/**
 * Shipments as hashes, each in the shard of its tracking number: `authorized` and `carrier` (client
 * ids), `reserved` with its end and what it came after, and `journey` as JSON with its place in the
 * log.
 */
export function createShipmentStates(config: RedisConfig, runScript: RunScript): ShipmentStates {
  const callsFor = (trackingNumbers: readonly string[]) => callsOf(
    [...new Set(trackingNumbers)].map((item) => ({ tag: tagOfShipment(item), item })),
    config.applyBatchMax, config.cluster,
  ).map((call) => call.map(({ item }) => item));

  return {
    async find(trackingNumber) {
      const ready = keys.ready(tagOfShipment(trackingNumber));
      const reply = await runScript('read', [ready, keyOf(trackingNumber)], []);
      return shipmentIn(toFields(reply));
    },

    async claim(trackingNumbers, clientId) {
      const answers: unknown[] = [];
      for (const call of callsFor(trackingNumbers)) {
        answers.push(await runScript(
          'claim-shipments', call.map(keyOf), [clientId, config.claimLeaseMs],
        ));
      }
      return worstOf(CLAIMED, answers);
    },

    async confirm(trackingNumbers, clientId) {
      const answers: unknown[] = [];
      for (const call of callsFor(trackingNumbers)) {
        answers.push(await runScript('confirm-shipments', call.map(keyOf), [clientId]));
      }
      return worstOf(CONFIRMED, answers);
    },

    async authorize(trackingNumber, clientId) {
      await runScript('put-field', [keyOf(trackingNumber)], ['authorized', clientId]);
    },

    async loadJourneys(trackingNumbers, isMarked) {
      const found = new Map<string, ShipmentJourney>();
      for (const call of callsFor(trackingNumbers)) {
        const texts = await runScript(
          'load-journeys', call.map(keyOf), [isMarked ? 1 : 0],
        ) as readonly string[];
        call.forEach((trackingNumber, at) => {
          const text = texts[at] ?? '';
          if (text !== '') found.set(trackingNumber, JSON.parse(text) as ShipmentJourney);
        });
      }
      return found;
    },

    async putJourneys(journeys) {
      for (const call of callsFor([...journeys.keys()])) {
        const args = call.flatMap((trackingNumber) => journeyArgs(journeys.get(trackingNumber)));
        await runScript('put-journeys', call.map(keyOf), args);
      }
    },
  };
}

/** The last of `order` that was answered. */
function worstOf<Answer>(order: readonly Answer[], answers: readonly unknown[]): Answer {
  const worst = order.findLast((each) => answers.includes(each)) ?? order[0];
  if (worst === undefined) throw new Error('an order without answers');
  return worst;
}

function tagOfShipment(trackingNumber: string): string {
  return tagOf(shardOf(trackingNumber));
}

function keyOf(trackingNumber: string): string {
  return keys.shipment(tagOfShipment(trackingNumber), trackingNumber);
}

function shipmentIn(fields: ReadonlyMap<string, string> | undefined): StoredShipment | undefined {
  const carrier = fields?.get('authorized') ?? fields?.get('carrier');
  const text = fields?.get('journey');
  if (carrier === undefined && text === undefined) return undefined;
  const journey = text === undefined ? undefined : JSON.parse(text) as ShipmentJourney;
  return { carrier, state: journey?.state };
}

function journeyArgs(journey: ShipmentJourney | undefined): readonly string[] {
  if (journey === undefined) return ['', '', '', ''];
  const { position, carrier } = journey;
  return [position.topic_id, String(position.offset), carrier, JSON.stringify(journey)];
}
