import type { PollTry } from '../../../domain/feed/poll.ts';
import { retryAfterMs } from '../../../kernel/retry-after.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { FeedName, StoredFeed } from '../../../kernel/feeds.ts';
import type { Outbound, OutboundReply } from '../../../kernel/outbound.ts';
import type { PartyRecorded } from '../../../kernel/parties.ts';
import { splitPage, type SplitPage } from './split-page.ts';

/** Tokens by which the platform shows carriers who it is, for the audience of feeds. */
export interface FeedTokens {
  current(party: PartyRecorded): Promise<
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'no_token' }
  >;
  /** Says that a token was refused, so that `current` takes another one if there can be one. */
  discard(party: PartyRecorded, token: string): void;
}

/** What asking a carrier needs. */
export interface AskFeedPorts {
  readonly tokens: FeedTokens;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** A page that can be taken into the log, or what else the poll brought. */
export type Asked =
  | { readonly kind: 'page'; readonly page: SplitPage }
  | { readonly kind: 'none'; readonly tried: Exclude<PollTry, { kind: 'page' }> };

/**
 * Asks a carrier for one page of a feed (decisions.md, Pull feed). After a refused token one new
 * token is taken. An answer that is cut at its limit is too large, whatever its beginning says.
 */
export async function askFeed(
  ports: AskFeedPorts, party: PartyRecorded, name: FeedName,
  { spelling, cursor }: Pick<StoredFeed, 'spelling' | 'cursor'>, itemsMax: number,
): Promise<Asked> {
  for (let isTokenNew = false; ; isTokenNew = true) {
    const reading = await ports.tokens.current(party);
    if (reading.kind === 'no_token') return lost('token_unavailable');
    const reply = await ports.outbound({
      method: 'GET',
      url: urlOf(party, spelling, cursor, itemsMax),
      headers: { authorization: `Bearer ${reading.token}`, accept: 'application/json' },
    });
    const isRefused = reply.kind === 'answer' && reply.status === 401;
    if (!isRefused || isTokenNew) return read(ports.clock, reply, name, cursor);
    ports.tokens.discard(party, reading.token);
  }
}

function urlOf(
  party: PartyRecorded, trackingNumber: string, cursor: string | undefined, itemsMax: number,
): string {
  const base = party.base_url.replace(/\/+$/, '');
  const query = new URLSearchParams({ limit: String(itemsMax) });
  if (cursor !== undefined) query.set('cursor', cursor);
  const number = encodeURIComponent(trackingNumber);
  return `${base}/shipping/tracking/shipments/${number}/notifications?${query.toString()}`;
}

function read(
  clock: Clock, reply: OutboundReply, name: FeedName, cursor: string | undefined,
): Asked {
  if (reply.kind === 'lost') return lost(reply.reason);
  const { status, headers, body, isCut } = reply;
  if (status !== 200) {
    const waitMs = retryAfterMs(headers['retry-after'], clock.nowMs());
    return { kind: 'none', tried: { kind: 'answer', status, retryAfterMs: waitMs } };
  }
  if (isCut) return { kind: 'none', tried: { kind: 'too_large' } };
  const page = splitPage(body, name.tracking_number);
  if (page === undefined) return { kind: 'none', tried: { kind: 'unreadable' } };
  // A cursor that stays behind items, or in front of more, would give the same page each time.
  const mustMove = page.items.length > 0 || page.hasMore;
  if (mustMove && page.cursor === cursor) return { kind: 'none', tried: { kind: 'stuck' } };
  return { kind: 'page', page };
}

function lost(reason: Extract<PollTry, { kind: 'lost' }>['reason']): Asked {
  return { kind: 'none', tried: { kind: 'lost', reason } };
}
