import type { Answer, Operation } from '../../../kernel/http.ts';
import { NOTIFICATIONS_BYTES_MAX } from '../../../kernel/limits.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { notificationErrors } from '../../common/notification-errors.ts';
import { ownPage, type OwnPagePorts } from '../own-page.ts';
import { readFeed, type FeedPorts } from '../read-feed.ts';

/** What the feed needs from outside. */
export type PullPorts = FeedPorts & OwnPagePorts;

// Who can take a push can take a page.
const PAGE_BYTES_MAX = NOTIFICATIONS_BYTES_MAX;

/**
 * `GET …/shipments/{tracking_number}/notifications`: all that was recorded about a shipment of the
 * caller, as push bodies in recorded order, by pages (interface, 4; decisions.md, Pull feed). The
 * cursor of the last page stays good: what is recorded later stands behind it.
 */
export function pullNotifications(ports: PullPorts): Operation {
  return defineOperation('pull-notifications', {
    errors: notificationErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: PullPorts, call: CallOf<'pull-notifications'>): Promise<Answer> {
  const page = await ownPage(ports, call, 'feed');
  if ('kind' in page) return page;
  const { trackingNumber, of, asked, after, limit } = page;
  const feed = await readFeed(PAGE_BYTES_MAX, ports, of, after, limit);
  const nextCursor = ports.cursors.write('feed', trackingNumber, { after: feed.last ?? after });
  // Bodies are joined as texts: parsing them would round numbers that were written longer.
  const text = `{"tracking_number":${JSON.stringify(asked)},"notifications":[${
    feed.texts.join(',')}],"next_cursor":"${nextCursor}","has_more":${feed.hasMore}}`;
  return { kind: 'text', status: 200, contentType: 'application/json', text };
}
