import { need } from '../asks.ts';
import { verify, skipped, type Check, type Finding, type CheckOutcome } from '../check.ts';
import { at, equal, member, status } from '../findings.ts';
import type { Session } from '../session.ts';
import { aNotification, feedAsk, pushAsk } from '../shipments.ts';
import { REMARKS } from '../remarks.ts';

const PAGES_MAX = 1_000;
const LEAST = 3;

/** The pull feed of a carrier: all recorded notifications of a shipment. */
export const feedChecks: readonly Check[] = [
  {
    id: 'feed-page', rows: ['PULL-01', 'PULL-02'], role: 'carrier',
    title: 'The feed of a shipment gives its notifications as push bodies, in recorded order',
    level: 'should',
    remark: REMARKS.feed,
    run: (session) => withFeed(session, async ({ number, pushed }) => {
      const reply = await session.send(feedAsk(number));
      return verify(
        status(reply, 200), session.shape(reply, 'NotificationFeed'),
        member(reply, '/tracking_number', number),
        pushed && equal('the notifications', at(reply.json, '/notifications'), pushed),
      );
    }),
  },
  {
    id: 'feed-pages', rows: ['PULL-03'], role: 'carrier',
    title: 'Pages of one, followed by next_cursor, give the whole feed and nothing twice',
    level: 'should',
    remark: REMARKS.feed,
    run: (session) => withFeed(session, async ({ number }) => {
      const whole = await session.send(feedAsk(number, { limit: '500' }));
      const { found, notifications } = await readPages(session, number);
      return verify(
        status(whole, 200), found,
        equal('the pages together', notifications, at(whole.json, '/notifications')),
      );
    }),
  },
  {
    id: 'feed-goes-on', rows: ['PULL-04'], role: 'carrier',
    title: 'The last next_cursor goes on with what is recorded later',
    level: 'should',
    remark: REMARKS.feed,
    run: (session) => withFeed(session, async ({ number, pushed }) => {
      if (pushed === undefined) return skipped('the carrier takes no push, so nothing can follow');
      const whole = await session.send(feedAsk(number, { limit: '500' }));
      const cursor = at(whole.json, '/next_cursor');
      if (typeof cursor !== 'string') return verify('the last page has no next_cursor');
      const ask = feedAsk(number, { cursor });
      const before = await session.send(ask);
      const next = aNotification(session, number, 'KIT-NEXT', 5);
      need(await session.send(pushAsk(next)), 202);
      const after = await session.sendUntil(ask, (reply) => listOf(reply.json).length > 0);
      return verify(
        status(before, 200), equal('the page before', at(before.json, '/notifications'), []),
        equal('the page after', at(after.json, '/notifications'), [next]),
      );
    }),
  },
  {
    id: 'feed-token', rows: ['PULL-05'], role: 'carrier',
    title: 'A pull without a good token gets 401, with another audience 403',
    level: 'should',
    remark: REMARKS.feed,
    run: async (session) => {
      const ask = feedAsk(session.setup.trackingNumber ?? session.unique('KIT'));
      return verify(
        status(await session.send({ ...ask, token: null }), 401),
        status(await session.send({ ...ask, token: 'no-such-token' }), 401),
        status(await session.send({ ...ask, token: await session.token('rtt') }), 403),
      );
    },
  },
  {
    id: 'feed-unknown', rows: ['PULL-10'], role: 'carrier',
    title: 'An unknown tracking number gets 404',
    level: 'should',
    remark: REMARKS.feed,
    run: async (session) => verify(
      status(await session.send(feedAsk(session.unique('nowhere'))), 404),
    ),
  },
  {
    id: 'feed-cursor', rows: ['PULL-10'], role: 'carrier',
    title: 'A cursor that no page gave gets 400',
    level: 'should',
    remark: REMARKS.feed,
    run: (session) => withFeed(session, async ({ number }) => verify(
      status(await session.send(feedAsk(number, { cursor: 'no cursor of yours' })), 400),
    )),
  },
];

interface Feed {
  readonly number: string;
  /** What we pushed ourselves, when the carrier lets us. */
  readonly pushed: readonly unknown[] | undefined;
}

/** A shipment with notifications: the one that was named, else one that we push ourselves. */
async function withFeed(
  session: Session, check: (feed: Feed) => Promise<CheckOutcome>,
): Promise<CheckOutcome> {
  const { trackingNumber } = session.setup;
  if (trackingNumber !== undefined) return check({ number: trackingNumber, pushed: undefined });
  const number = session.unique('KIT');
  const pushed = Array.from({ length: LEAST }, (_, index) =>
    aNotification(session, number, `KIT-${index}`, 60 - index));
  const push = await session.send(pushAsk(pushed));
  if (push.status === 404 || push.status === 405) {
    return skipped(`name a shipment with ${LEAST} notifications: --tracking-number`);
  }
  need(push, 202);
  const whole = await session.sendUntil(feedAsk(number), (reply) =>
    listOf(reply.json).length >= LEAST);
  if (listOf(need(whole, 200).json).length < LEAST) return verify('what was pushed is not served');
  return check({ number, pushed });
}

async function readPages(
  session: Session, number: string,
): Promise<{ found: Finding; notifications: unknown[] }> {
  const notifications: unknown[] = [];
  let query: Readonly<Record<string, string>> = { limit: '1' };
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const reply = await session.send(feedAsk(number, query));
    const page = listOf(reply.json);
    const cursor = at(reply.json, '/next_cursor');
    if (page.length > 1) return { found: 'a page of limit 1 has more than one', notifications };
    notifications.push(...page);
    const more = at(reply.json, '/has_more');
    if (more !== true) {
      return { found: equal('has_more at the end', more, false), notifications };
    }
    if (typeof cursor !== 'string') return { found: 'a page has no next_cursor', notifications };
    query = { limit: '1', cursor };
  }
  return { found: `the feed has no end after ${PAGES_MAX} pages`, notifications };
}

function listOf(page: unknown): readonly unknown[] {
  const list = at(page, '/notifications');
  return Array.isArray(list) ? list as readonly unknown[] : [];
}
