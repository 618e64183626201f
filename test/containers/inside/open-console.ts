/** Opens a one-time link as a browser does, and counts the devices that the map gets. */
import { waitFor } from '../../../infra/local/wait.ts';
import { answer } from './answer.ts';

const OPEN_MS_MAX = 15_000;
const MAP_MS_MAX = 30_000;
const DATA = 'data: ';

interface Positions {
  /** Rows, each with the id of its device before all else. */
  readonly positions?: readonly (readonly [string, ...unknown[]])[];
}

interface Question {
  readonly link: string;
  readonly devices: number;
}

await answer<Question>(async ({ link, devices }) => {
  const { origin, pathname, hash } = new URL(link);
  const page = await fetch(`${origin}${pathname}`);
  const cookie = await openLink(origin, hash.replace('#link=', ''));
  const again = await post(origin, hash.replace('#link=', ''));
  return {
    page: `${page.status} ${page.headers.get('content-type') ?? ''}`, isOpen: cookie !== '',
    again: again.status, devices: await devicesOf(origin, cookie, devices),
  };
});

function post(origin: string, token: string): Promise<Response> {
  return fetch(`${origin}/console/session`, {
    method: 'POST', headers: { authorization: `Bearer ${token}` },
  });
}

/** The cookie of the session; the projector may not have a new link yet. */
async function openLink(origin: string, token: string): Promise<string> {
  let cookies: readonly string[] = [];
  await waitFor(async () => {
    cookies = (await post(origin, token)).headers.getSetCookie();
    return cookies.length > 0;
  }, { what: 'The session', deadlineMs: OPEN_MS_MAX, everyMs: 500 }).catch(() => undefined);
  return cookies.map((each) => each.split(';')[0]).join('; ');
}

/** How many devices the feed of positions names until there are enough, or time is over. */
async function devicesOf(origin: string, cookie: string, enough: number): Promise<number> {
  const signal = AbortSignal.timeout(MAP_MS_MAX);
  const found = new Set<string>();
  try {
    const feed = await fetch(`${origin}/platform/live/positions`, { headers: { cookie }, signal });
    let text = '';
    for await (const chunk of feed.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.startsWith(DATA))) {
        const { positions = [] } = JSON.parse(line.slice(DATA.length)) as Positions;
        for (const [id] of positions) found.add(id);
      }
      if (found.size >= enough) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return found.size;
}
