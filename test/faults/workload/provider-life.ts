import type { Dice } from '../dice.ts';
import type { Caller } from './caller.ts';
import { driveDevice, driveForeign } from './device-actor.ts';
import { parkDevices } from './parked-devices.ts';
import { raceDevices } from './race-actor.ts';
import { sendDeferredEvents, sendDeliveries, sendLocations, type Poster } from './posts.ts';
import { issueToken, revokeToken, type Credential } from './tokens.ts';

/** What a provider lives with. */
export interface ProviderLifePorts {
  readonly caller: Caller;
  readonly credential: Credential;
  readonly dice: Dice;
  /** Makes its entities and traceables different from those of other runs. */
  readonly prefix: string;
  readonly firstTransport: number;
  readonly mark: () => string;
  readonly stopping: AbortSignal;
  readonly paceOf: (name: string) => () => Promise<void>;
  /** Leaves devices that go on silently, too. */
  readonly parksDevices: boolean;
  /** A device of another provider, when one is known. */
  readonly foreignDevice: () => string | undefined;
}

/** A provider at work. */
export interface ProviderLife {
  /** Answers a request of the platform for summarized events. */
  readonly answer: (requestId: string, transportId: number) => Promise<unknown>;
  readonly ended: Promise<unknown>;
}

const DEVICES = 3;
const TRACEABLES = 5;
/** Far from the transports of the devices, and below those of the next provider. */
const RACING_TRANSPORT = 50;
const PARKED_TRANSPORT = 55;

/** Lets one provider drive its devices, deliver, and make and end tokens. */
export function liveAsProvider(around: ProviderLifePorts): ProviderLife {
  const { caller, credential, dice, prefix, stopping, paceOf } = around;
  const { provider } = credential;
  const token = issueToken(caller, credential, 'rtt');
  const posterOf = (name: string, own: string): Poster => (
    { caller, token: own, provider, dice: dice.fork(name), mark: around.mark }
  );
  const traceableOf = (nth: number): string => `shipment|${prefix}-${provider}-${nth % TRACEABLES}`;

  async function drive(nth: number, own: string): Promise<void> {
    await driveDevice({
      poster: posterOf(`device-${nth}`, own), entityId: `${prefix}-${provider}-${nth}`,
      transportId: around.firstTransport + nth, stopping, pace: paceOf(`device-${nth}`),
    });
  }

  async function race(own: string): Promise<void> {
    await raceDevices({
      poster: posterOf('races', own), entityOf: (round) => `${prefix}-${provider}-race-${round}`,
      transportId: around.firstTransport + RACING_TRANSPORT, stopping, pace: paceOf('races'),
    });
  }

  async function park(own: string): Promise<void> {
    await parkDevices({
      poster: posterOf('parking', own), entityOf: (nth) => `${prefix}-${provider}-parked-${nth}`,
      firstTransport: around.firstTransport + PARKED_TRANSPORT, stopping, pace: paceOf('parking'),
    });
  }

  async function deliver(own: string): Promise<void> {
    const [poster, pace] = [posterOf('deliveries', own), paceOf('deliveries')];
    for (let nth = 0; !stopping.aborted; nth += 1) {
      await sendDeliveries(poster, traceableOf(nth));
      await pace();
    }
  }

  async function trespass(own: string): Promise<void> {
    const pace = paceOf('trespassing');
    while (!stopping.aborted) {
      const device = around.foreignDevice();
      if (device !== undefined) {
        await driveForeign({ caller, token: own, provider }, device);
        await sendLocations(posterOf('trespassing', own), device, { meant_to_fail: true });
      }
      await pace();
    }
  }

  /** A token of its own each time: used, ended, and used again where it must be refused. */
  async function useAndRevoke(): Promise<void> {
    const pace = paceOf('revocations');
    const header = await issueToken(caller, credential, 'revoke');
    while (!stopping.aborted && header !== undefined) {
      const short = await issueToken(caller, credential, 'rtt');
      if (short === undefined) return;
      const poster = posterOf('short', short);
      await sendDeliveries(poster, traceableOf(0));
      await revokeToken(caller, header, short, dice.between(0, 1));
      for (const gateway of [0, 1]) {
        await sendDeliveries(poster, traceableOf(0), { meant_to_fail: true }, gateway);
      }
      await pace();
    }
  }

  async function live(): Promise<void> {
    const own = await token;
    if (own === undefined) return;
    await Promise.all([
      ...Array.from({ length: DEVICES }, (_, nth) => drive(nth, own)),
      race(own), deliver(own), trespass(own), useAndRevoke(),
      ...(around.parksDevices ? [park(own)] : []),
    ]);
  }

  return {
    ended: live(),
    async answer(requestId, transportId) {
      const own = await token;
      if (own === undefined) return;
      await sendDeferredEvents(posterOf(`request-${requestId}`, own), requestId, transportId);
    },
  };
}
