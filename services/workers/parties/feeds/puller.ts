import type { Pause } from '../../../kernel/clock.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Parties, PartyRecorded } from '../../../kernel/parties.ts';
import type { PullerConfig } from './config.ts';
import { pollFeed, type Polled, type PollPorts } from './poll-feed.ts';

/** What the puller works with. */
export interface PullerPorts extends PollPorts {
  readonly parties: Pick<Parties, 'carriers'>;
  readonly pause: Pause;
  /**
   * Called once with an error that is not `Unavailable`: a defect, after which the process must
   * end.
   */
  readonly onCrash: (error: unknown) => void;
}

/** The running puller. */
export interface Puller {
  /** Looks once at every carrier's queue and polls what is due. */
  readonly look: () => Promise<void>;
  readonly start: () => void;
  /** Takes nothing more and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Polls the feeds of carriers. Every carrier has a queue and a share of its own, so one that hangs,
 * fails or has a thousand feeds due delays no other. The puller holds nothing: a feed is in its
 * queue until its end, and a taken one comes up again when its lease ends.
 */
export function createPuller(config: PullerConfig, ports: PullerPorts): Puller {
  const { feeds, clock, signals } = ports;
  const atCarrier = new Map<string, number>();
  const heldUntilMs = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let first = 0;
  let isStopping = false;
  let looping: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const carriers = (await ports.parties.carriers()).filter(({ feed }) => feed === true);
    forgetHolds(carriers);
    // Another carrier begins each time, so that none is always last when there is little room.
    first = carriers.length === 0 ? 0 : (first + 1) % carriers.length;
    for (const party of [...carriers.slice(first), ...carriers.slice(0, first)]) await take(party);
    signals.feedsInFlight({ feeds: underWay.size });
  }

  async function take(party: PartyRecorded): Promise<void> {
    const { party_id } = party;
    const nowMs = clock.nowMs();
    if ((heldUntilMs.get(party_id) ?? 0) > nowMs) return;
    const room = Math.min(
      config.inFlightMax - underWay.size,
      config.inFlightMaxPerCarrier - (atCarrier.get(party_id) ?? 0),
    );
    if (room <= 0) return;
    for (const trackingNumber of await feeds.takeDue(party_id, nowMs, config.leaseMs, room)) {
      atCarrier.set(party_id, (atCarrier.get(party_id) ?? 0) + 1);
      const work = guarded(party, trackingNumber).finally(() => {
        underWay.delete(work);
        const left = (atCarrier.get(party_id) ?? 1) - 1;
        if (left > 0) atCarrier.set(party_id, left);
        else atCarrier.delete(party_id);
      });
      underWay.add(work);
    }
  }

  /** A fault leaves the feed in the queue, where it comes up again when its lease ends. */
  async function guarded(party: PartyRecorded, trackingNumber: string): Promise<void> {
    const begun = clock.nowMs();
    try {
      report(party, await pollFeed(config, ports, party, trackingNumber));
    } catch (error) {
      if (!isUnavailable(error)) return ports.onCrash(error);
      signals.feedPolled({ outcome: error.code });
      signals.feedPollFailed({
        party: party.party_id, code: error.code, stage: error.stage,
      });
    } finally {
      signals.feedPollEnded({ seconds: (clock.nowMs() - begun) / 1_000 });
    }
  }

  function report({ party_id }: PartyRecorded, polled: Polled): void {
    if (polled.kind === 'ended') {
      signals.feedEnded({ reason: polled.reason });
    }
    if (polled.kind !== 'polled') return;
    const { outcome, holdMs } = polled;
    signals.feedPolled({ outcome });
    if (holdMs !== undefined) heldUntilMs.set(party_id, clock.nowMs() + holdMs);
    const isGood = outcome === 'items' || outcome === 'empty' || outcome === 'unknown';
    if (!isGood) signals.feedPollFailed({ party: party_id, code: outcome, stage: undefined });
  }

  function forgetHolds(carriers: readonly PartyRecorded[]): void {
    const known = new Set(carriers.map(({ party_id }) => party_id));
    for (const partyId of heldUntilMs.keys()) if (!known.has(partyId)) heldUntilMs.delete(partyId);
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      try {
        await look();
      } catch (error) {
        if (!isUnavailable(error)) return ports.onCrash(error);
        signals.pullerPollFailed({ code: error.code, stage: error.stage });
      }
      await ports.pause(config.lookMs);
    }
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    look: async () => {
      await look();
      await settled();
    },
    start: () => { looping = loop(); },
    stop: async () => {
      isStopping = true;
      await looping;
      await settled();
    },
  };
}
