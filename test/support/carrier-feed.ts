import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request at a carrier. */
export interface FeedAsk {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

/** What a carrier answers; a text body goes out as it is, `hangs` never. */
export interface FeedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly hangs?: true;
}

/** The notification feeds of a carrier, and what it does other than it should. */
export interface CarrierFeed {
  /** Items by tracking number, each as the JSON that is sent. */
  readonly items: Map<string, string[]>;
  readonly asked: FeedAsk[];
  /** Answers instead of the feed where it gives anything. */
  twist: (ask: FeedAsk, at: number) => FeedAnswer | undefined;
  publish(trackingNumber: string, ...items: readonly unknown[]): void;
  answer(ask: FeedAsk): FeedAnswer;
}

const PATH = /^(?:\/[^/]+)?\/shipping\/tracking\/shipments\/([^/]+)\/notifications$/;

/** A carrier that gives its feeds page by page as decisions.md says (Pull feed). */
export function carrierFeed(): CarrierFeed {
  const items = new Map<string, string[]>();
  const feed: CarrierFeed = {
    items,
    asked: [],
    twist: () => undefined,
    publish(trackingNumber, ...notifications) {
      const texts = notifications.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
      items.set(trackingNumber, [...items.get(trackingNumber) ?? [], ...texts]);
    },
    answer(ask) {
      feed.asked.push(ask);
      return feed.twist(ask, feed.asked.length) ?? pageOf(items, ask);
    },
  };
  return feed;
}

function pageOf(items: CarrierFeed['items'], { path, query }: FeedAsk): FeedAnswer {
  const trackingNumber = decodeURIComponent(PATH.exec(path)?.[1] ?? '');
  const all = items.get(trackingNumber);
  if (all === undefined) return { status: 404, body: {} };
  const from = query['cursor'] === undefined ? 0 : Number(/^at-(\d+)$/.exec(query['cursor'])?.[1]);
  if (Number.isNaN(from)) return { status: 400, body: {} };
  const page = all.slice(from, from + Number(query['limit'] ?? 100));
  const next = from + page.length;
  const [number, cursor] = [JSON.stringify(trackingNumber), JSON.stringify(`at-${next}`)];
  return {
    status: 200,
    body: `{"tracking_number":${number},"notifications":[${page.join(' , ')}],`
      + `"next_cursor":${cursor},"has_more":${String(next < all.length)}}`,
  };
}

/** A carrier that answers over HTTP; other paths than feeds are answered by `twist`. */
export async function startCarrierFeed(): Promise<
  CarrierFeed & { readonly url: string; readonly close: () => Promise<void> }
> {
  const feed = carrierFeed();
  const server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://carrier');
    const { status, headers, body, hangs } = feed.answer({
      method: request.method ?? '', path: pathname, query: Object.fromEntries(searchParams),
      authorization: request.headers.authorization,
    });
    if (hangs === true) return;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  return Object.assign(feed, {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => {
      server.close(() => { resolve(); });
      server.closeAllConnections();
    }),
  });
}
