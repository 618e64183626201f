import {
  askingLess, endOf, classifyPoll, putOffMs, type FeedEnd, type PollOutcome, type PollTry,
} from '../../../domain/feed/poll.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { FeedName, FeedRead, FeedStates, StoredFeed } from '../../../kernel/feeds.ts';
import type { PartyRecorded } from '../../../kernel/parties.ts';
import type { ShipmentStates } from '../../../kernel/shipments.ts';
import { askFeed, type AskPorts } from './ask-feed.ts';
import type { PullerConfig } from './config.ts';
import type { FeedPage } from './split-page.ts';
import { takePage, type TakePorts } from './take-page.ts';

/** What polling one feed needs. */
export interface PollPorts extends AskPorts, TakePorts {
  readonly feeds: FeedStates;
  readonly shipments: Pick<ShipmentStates, 'find' | 'authorize'>;
  readonly random: () => number;
}

/** How looking after a feed ended. `holdMs` is how long its whole carrier is to be left alone. */
export type Polled =
  | { readonly kind: 'gone' | 'put_off' }
  | { readonly kind: 'ended'; readonly reason: FeedEnd }
  | { readonly kind: 'polled'; readonly outcome: PollOutcome; readonly holdMs?: number };

/**
 * Looks after one feed that is due: leaves it for good, puts it off, or polls one page of it. The
 * page is in the log before its cursor is, and in both before the state store knows, so that
 * whatever breaks off in between is only done again.
 */
export async function pollFeed(
  config: PullerConfig, ports: PollPorts, party: PartyRecorded, trackingNumber: string,
): Promise<Polled> {
  const name = { carrier: party.party_id, tracking_number: trackingNumber };
  const [feed, shipment] = await Promise.all([
    ports.feeds.load(name), ports.shipments.find(trackingNumber),
  ]);
  if (feed === undefined) {
    await ports.feeds.end(name);
    return { kind: 'gone' };
  }
  const nowMs = ports.clock.nowMs();
  const reason = endOf(config, feed, shipment?.state?.final === true, nowMs);
  if (reason !== undefined) {
    await ports.feeds.end(name);
    return { kind: 'ended', reason };
  }
  const waitMs = putOffMs(config, feed, nowMs, ports.random());
  if (waitMs > 0) {
    await ports.feeds.reschedule(name, nowMs + waitMs, progressOf(config, feed));
    return { kind: 'put_off' };
  }
  // The number belongs to the carrier that authorized it (decisions.md, Whose shipment).
  const clientId = party.client_id ?? party.party_id;
  if (shipment?.carrier !== clientId) await ports.shipments.authorize(trackingNumber, clientId);
  return poll(config, ports, party, { name, clientId, feed });
}

interface Looked {
  readonly name: FeedName;
  readonly clientId: string;
  readonly feed: StoredFeed;
}

async function poll(
  config: PullerConfig, ports: PollPorts, party: PartyRecorded, { name, clientId, feed }: Looked,
): Promise<Polled> {
  const progress = progressOf(config, feed);
  const lateMs = ports.clock.nowMs() - (feed.polled?.due_ms ?? feed.opened_at_ms);
  ports.signals.feedPollDelayed({ seconds: Math.max(0, lateMs) / 1_000 });
  const asked = await askFeed(ports, party, name, feed.cursor, progress.itemsMax);
  let tried: PollTry;
  if (asked.kind === 'page') {
    const { page } = asked;
    // Nothing new and nothing more: the cursor that is there is as good.
    if (page.items.length > 0 || page.hasMore) {
      await ports.feeds.advance(await take(config, ports, { name, clientId, feed }, page));
    }
    tried = { kind: 'page', items: page.items.length, hasMore: page.hasMore };
  } else tried = asked.tried;
  const verdict = classifyPoll(config, tried, progress, ports.random());
  await ports.feeds.reschedule(name, ports.clock.nowMs() + verdict.waitMs, verdict.progress);
  return {
    kind: 'polled', outcome: verdict.outcome,
    ...(verdict.holdMs === undefined ? {} : { holdMs: verdict.holdMs }),
  };
}

/** A page that the log did not take in time would fail for ever: the next one is smaller. */
async function take(
  config: PullerConfig, ports: PollPorts, { name, clientId, feed }: Looked, page: FeedPage,
): Promise<FeedRead> {
  const deadlineMs = ports.clock.nowMs() + config.appendMsMax;
  try {
    return await takePage(ports, { name, clientId, before: feed }, page, deadlineMs);
  } catch (error) {
    if (isUnavailable(error) && error.code === 'log_timeout') {
      const less = askingLess(progressOf(config, feed));
      await ports.feeds.reschedule(name, ports.clock.nowMs() + config.leaseMs, less);
    }
    throw error;
  }
}

function progressOf({ pageItemsMax }: PullerConfig, { polled }: StoredFeed) {
  const itemsMax = Math.min(polled?.progress.itemsMax ?? pageItemsMax, pageItemsMax);
  return { failures: polled?.progress.failures ?? 0, itemsMax };
}
