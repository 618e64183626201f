import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { notificationErrors } from '../error-form.ts';
import { ownPage, type OwnPagePorts } from '../own-page.ts';
import { readFeed, type FeedConfig, type FeedPorts } from '../read-feed.ts';

/**
 * `GET …/shipments/{tracking_number}/notifications`: all that was recorded about a shipment of the
 * caller, as push bodies in recorded order, by pages (interface, 4; decisions.md, Pull feed). The
 * cursor of the last page stays good: what is recorded later stands behind it.
 */
export function pullNotifications(
  config: FeedConfig, ports: FeedPorts & OwnPagePorts,
): Operation {
  return {
    ...fromCatalog('pull-notifications'),
    errors: notificationErrors,
    handle: (call) => handle(config, ports, call),
  };
}

async function handle(
  config: FeedConfig, ports: FeedPorts & OwnPagePorts, call: Call,
): Promise<Answer> {
  const page = await ownPage(ports, call, 'feed');
  if ('kind' in page) return page;
  const { trackingNumber, after, limit } = page;
  const { texts, last, hasMore } = await readFeed(config, ports, trackingNumber, after, limit);
  const nextCursor = ports.cursors.write('feed', trackingNumber, { after: last ?? after });
  // Bodies are joined as texts: parsing them would round numbers that were written longer.
  const text = `{"tracking_number":${JSON.stringify(trackingNumber)},"notifications":[${
    texts.join(',')}],"next_cursor":"${nextCursor}","has_more":${hasMore}}`;
  return { kind: 'text', status: 200, contentType: 'application/json', text };
}
