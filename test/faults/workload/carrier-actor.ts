import type { Dice } from '../dice.ts';
import type { Item } from '../history.ts';
import type { Caller, Ending } from './caller.ts';

/** Who pushes notifications of shipments, and whose shipments. */
export interface CarrierActor {
  readonly caller: Caller;
  readonly token: string;
  readonly dice: Dice;
  readonly mark: () => string;
  /** A tracking number that no notification names yet. */
  readonly nextNumber: () => string;
  /** Name of a person that must be in no log. */
  readonly personalName: string;
  /** Another carrier, which notifies about some of these shipments, too. */
  readonly stranger?: { readonly caller: Caller; readonly token: string } | undefined;
  readonly stopping: AbortSignal;
  readonly pace: () => Promise<void>;
}

const STORY = ['EX-CREATED', 'EX-COLLECTED', 'EX-HUB', 'EX-HUB', 'EX-ON-ROUTE'];
const FINAL = ['EX-DELIVERED', 'EX-RETURNED', 'EX-LOST'];
const STEP_MS = 60_000;
const DISPUTES = 0.2;
/** How the systems of one carrier write one number: all of them are one shipment. */
const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => number, (number) => number, (number) => number.toLowerCase(), wide,
];
const WIDE_FROM = 0xfee0;

/**
 * Notifies about a few shipments at once up to the final status, and a little after it, each time
 * in one of the spellings of their numbers. Their notifications come one by one or as lists; at
 * times two calls race on both gateways.
 */
export async function notifyAboutShipments(actor: CarrierActor): Promise<void> {
  const { dice, stopping } = actor;
  while (!stopping.aborted) {
    const numbers = Array.from({ length: dice.between(1, 3) }, () => actor.nextNumber());
    const begunMs = Date.now() - 7_200_000;
    const codes = [...STORY, dice.pick(FINAL), 'EX-HUB', dice.pick(FINAL)];
    for (const [step, code] of codes.entries()) {
      const items = numbers.map((number) => {
        const backMs = dice.chance(0.1) ? 3 * STEP_MS : 0;
        const spelling = dice.pick(SPELLINGS)(number);
        return notification(actor, spelling, code, begunMs + step * STEP_MS - backMs);
      });
      if (dice.chance(0.2)) await Promise.all(items.map((item, at) => push(actor, [item], at % 2)));
      else await push(actor, items, dice.between(0, 1));
      if (actor.stranger !== undefined && dice.chance(DISPUTES)) {
        const [number = ''] = numbers;
        const item = notification(actor, number, code, begunMs + step * STEP_MS);
        await push(actor.stranger, [item], dice.between(0, 1));
      }
      await actor.pace();
    }
  }
}

function push(
  { caller, token }: Pick<CarrierActor, 'caller' | 'token'>, items: readonly Item[], gateway: number,
): Promise<Ending> {
  return caller.call({
    op: 'push-notifications', token, gateway, path: '/shipping/tracking/notifications', items,
    body: items.length === 1 ? items[0]?.content : items.map(({ content }) => content),
    args: items.length === 1 ? { tracking_number: items[0]?.key ?? '' } : {},
  });
}

function notification(
  { mark, personalName }: CarrierActor, tracking_number: string, code: string, atMs: number,
): Item {
  const own = mark();
  return {
    kind: 'notification', mark: own, key: tracking_number,
    content: {
      tracking_number, code, carrier_code: own,
      payload: {
        date: new Date(atMs).toISOString(),
        driver: { id: 'D7', name: personalName },
      },
    },
  };
}

/** The same characters, as wide as a Chinese one. */
function wide(number: string): string {
  return Array.from(number, (character) => (
    String.fromCodePoint(WIDE_FROM + (character.codePointAt(0) ?? 0))
  )).join('');
}
