import { setTimeout as delay } from 'node:timers/promises';
import { answersOk } from '../../../infra/local/processes/process.ts';

/** A gateway as its callers know it. */
export interface GatewayAddress {
  readonly name: string;
  readonly url: string;
  /** Where it says whether it is ready. */
  readonly adminUrl: string;
}

/** Chooses the gateway of a try: the nth, or another. */
export type ChooseGateway = (nth: number) => Promise<GatewayAddress>;

/**
 * How long a gateway that said ready may be believed, in milliseconds: far less than it serves
 * after it said unready (RASTRO_LAME_DUCK_MS in cluster/process-env.ts).
 */
const FRESH_MS = 500;
const POLL_MS = 50;

/** Callers that know every gateway and ask whichever they like. */
export function withoutBalancer(gateways: readonly GatewayAddress[]): ChooseGateway {
  return async (nth) => at(gateways, nth);
}

/**
 * Callers behind a balancer: the nth gateway if it is ready, else the next one that is. It asks
 * when it is asked, and believes no old answer: a run depends on conditions, not on clocks.
 */
export function withBalancer(
  gateways: readonly GatewayAddress[], over: AbortSignal,
): ChooseGateway {
  const readyAtMs = new Map<string, number>();
  const isFresh = ({ name }: GatewayAddress): boolean =>
    performance.now() - (readyAtMs.get(name) ?? -Infinity) < FRESH_MS;

  async function isReady(gateway: GatewayAddress): Promise<boolean> {
    if (isFresh(gateway)) return true;
    const askedAtMs = performance.now();
    if (await answersOk(`${gateway.adminUrl}/readyz`)) readyAtMs.set(gateway.name, askedAtMs);
    return isFresh(gateway);
  }

  return async (nth) => {
    while (!over.aborted) {
      for (let awaitSlot = 0; awaitSlot < gateways.length; awaitSlot += 1) {
        const gateway = at(gateways, nth + awaitSlot);
        if (await isReady(gateway)) return gateway;
      }
      await delay(POLL_MS);
    }
    return at(gateways, nth);
  };
}

function at(gateways: readonly GatewayAddress[], nth: number): GatewayAddress {
  const gateway = gateways[nth % gateways.length];
  if (gateway === undefined) throw new Error('There is no gateway to call.');
  return gateway;
}
