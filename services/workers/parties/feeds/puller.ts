import type { PollVerdict } from '../../../domain/feed/poll.ts';
import type { FeedProgress } from '../../../kernel/feeds.ts';
import type { Parties, PartyRecorded } from '../../../kernel/parties.ts';
import { createDueRunner, type DueRunner, type DueRunnerPorts } from '../common/due-runner.ts';
import type { PartyQueue } from '../common/due-work.ts';
import type { PullerConfig } from './config.ts';
import {
  loadFeed, recordPoll, requestPage, type DueFeed, type PollPorts,
} from './poll-feed.ts';

/** What the puller works with. */
export interface PullerPorts extends PollPorts, DueRunnerPorts {
  readonly parties: Pick<Parties, 'carriers'>;
}

const GOOD_OUTCOMES: ReadonlySet<string> = new Set(['items', 'empty', 'unknown']);

/**
 * Polls the feeds of carriers. Every carrier has a queue and slots of its own, so one that hangs,
 * fails or has a thousand feeds due delays no other. The puller holds nothing: a feed is in its
 * queue until its end, and a taken one comes up again when its lease ends.
 */
export function createPuller(config: PullerConfig, ports: PullerPorts): DueRunner {
  const { feeds, clock, signals } = ports;

  function queueOf(party: PartyRecorded): PartyQueue<DueFeed, FeedProgress> {
    const { party_id: carrier } = party;
    return {
      partyId: carrier,
      takeDue: (nowMs, leaseMs, feedsMax) => feeds.takeDue(carrier, nowMs, leaseMs, feedsMax),
      load: (trackingNumber) => loadFeed(config, ports, party, trackingNumber),
      reschedule: (tracking_number, { dueMs, progress }) => (
        dueMs === undefined || progress === undefined
          ? feeds.end({ carrier, tracking_number })
          : feeds.reschedule({ carrier, tracking_number }, dueMs, progress)
      ),
      onFailed(_trackingNumber, { code, stage }) {
        signals.feedPolled({ outcome: code });
        signals.feedPollFailed({ party: carrier, code, stage });
      },
    };
  }

  function report(party: string, { outcome }: PollVerdict): void {
    signals.feedPolled({ outcome });
    if (!GOOD_OUTCOMES.has(outcome)) {
      signals.feedPollFailed({ party, code: outcome, stage: undefined });
    }
  }

  return createDueRunner('parties.feeds', config, {
    queues: async () => (await ports.parties.carriers())
      .filter(({ feed }) => feed === true).map(queueOf),
    request: (due) => requestPage(ports, due),
    async record(due, asked, deadlineMs) {
      const verdict = await recordPoll(config, ports, due, asked, deadlineMs);
      const { waitMs, progress, holdMs } = verdict;
      return {
        dueMs: clock.nowMs() + waitMs, progress, holdMs,
        report: () => report(due.partyId, verdict),
      };
    },
    onPolled: (inFlight) => signals.feedsInFlight({ feeds: inFlight }),
    onPollFailed: ({ code, stage }) => signals.pullerPollFailed({ code, stage }),
    onEnded: (seconds) => signals.feedPollEnded({ seconds }),
  }, ports);
}
