import {
  askingLess, endOf, classifyPoll, putOffMs, type PollTry, type PollVerdict,
} from '../../../domain/feed/poll.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type {
  FeedName, FeedProgress, FeedRead, FeedStates, StoredFeed,
} from '../../../kernel/feeds.ts';
import type { PartyRecorded } from '../../../kernel/parties.ts';
import type { ShipmentOwner, ShipmentStates } from '../../../kernel/shipments.ts';
import type { DueItem, Next } from '../common/due-work.ts';
import { askFeed, type Asked, type AskFeedPorts } from './ask-feed.ts';
import type { PullerConfig } from './config.ts';
import type { SplitPage } from './split-page.ts';
import { takePage, type TakePorts } from './take-page.ts';

/** What polling one feed needs. */
export interface PollPorts extends AskFeedPorts, TakePorts {
  readonly feeds: FeedStates;
  readonly shipments: Pick<ShipmentStates, 'find' | 'owners' | 'authorize'>;
  readonly random: () => number;
}

/** A feed that is due, as it was when its poll began. */
export interface DueFeed extends DueItem {
  readonly party: PartyRecorded;
  readonly name: FeedName;
  readonly clientId: string;
  readonly feed: StoredFeed;
  readonly progress: FeedProgress;
  readonly owner: ShipmentOwner | undefined;
}

/** Finds a feed that is due; or says when it is due, if it is complete or put off. */
export async function loadFeed(
  config: PullerConfig, ports: PollPorts, party: PartyRecorded, trackingNumber: string,
): Promise<DueFeed | Next<FeedProgress>> {
  const name = { carrier: party.party_id, tracking_number: trackingNumber };
  const [feed, shipment] = await Promise.all([
    ports.feeds.load(name), ports.shipments.find(trackingNumber),
  ]);
  if (feed === undefined) return { dueMs: undefined };
  const nowMs = ports.clock.nowMs();
  const reason = endOf(config, feed, shipment?.state?.final === true, nowMs);
  if (reason !== undefined) {
    return { dueMs: undefined, report: () => ports.signals.feedEnded({ reason }) };
  }
  const progress = progressOf(config, feed);
  const waitMs = putOffMs(config, feed, nowMs, ports.random());
  if (waitMs > 0) return { dueMs: nowMs + waitMs, progress };
  // The number belongs to the carrier that authorized it (decisions.md, Whose shipment).
  const clientId = party.client_id ?? party.party_id;
  if (shipment?.carrier_client_id !== clientId) {
    await ports.shipments.authorize(trackingNumber, { carrier_client_id: clientId, at_ms: nowMs });
  }
  const owner = (await ports.shipments.owners([trackingNumber])).get(trackingNumber);
  return { partyId: party.party_id, party, name, clientId, feed, progress, owner };
}

/** Asks the carrier for the next page of a feed. */
export async function requestPage(ports: PollPorts, due: DueFeed): Promise<Asked> {
  const { party, name, feed, progress } = due;
  const lateMs = ports.clock.nowMs() - (feed.polled?.due_ms ?? feed.opened_at_ms);
  ports.signals.feedPollDelayed({ seconds: Math.max(0, lateMs) / 1_000 });
  return askFeed(ports, party, name, feed, progress.itemsMax);
}

/**
 * Takes a page into the log, and decides when the feed is polled next. The page is in the log
 * before its cursor is, and in both before the state store knows, so that whatever breaks off in
 * between is only done again.
 */
export async function recordPoll(
  config: PullerConfig, ports: PollPorts, due: DueFeed, asked: Asked, deadlineMs: number,
): Promise<PollVerdict> {
  let tried: PollTry;
  if (asked.kind === 'page') {
    const { page } = asked;
    // Nothing new and nothing more: the cursor that is there is as good.
    if (page.items.length > 0 || page.hasMore) {
      await ports.feeds.advance(await take(config, ports, due, page, deadlineMs));
    }
    tried = { kind: 'page', items: page.items.length, hasMore: page.hasMore };
  } else tried = asked.tried;
  return classifyPoll(config, tried, due.progress, ports.random());
}

/** A page that the log did not take in time would always fail: the next one is smaller. */
async function take(
  config: PullerConfig, ports: PollPorts, { name, clientId, feed, progress, owner }: DueFeed,
  page: SplitPage, deadlineMs: number,
): Promise<FeedRead> {
  try {
    return await takePage(ports, { name, clientId, owner, before: feed }, page, deadlineMs);
  } catch (error) {
    if (isUnavailable(error) && error.code === 'log_timeout') {
      const dueMs = ports.clock.nowMs() + config.leaseMs;
      await ports.feeds.reschedule(name, dueMs, askingLess(progress));
    }
    throw error;
  }
}

function progressOf({ pageItemsMax }: PullerConfig, { polled }: StoredFeed): FeedProgress {
  const itemsMax = Math.min(polled?.progress.itemsMax ?? pageItemsMax, pageItemsMax);
  return { failures: polled?.progress.failures ?? 0, itemsMax };
}
