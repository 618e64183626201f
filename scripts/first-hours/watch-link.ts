import { waitFor } from '../../infra/local/wait.ts';
import { openBrowser } from '../../test/console/browser.ts';
import { drawnOn, openPage } from '../../test/console/watched-page.ts';

const MOVING_MS_MAX = 120_000;
const POLL_MS = 100;

/**
 * Opens the link to the console that `npm start` printed, as a click does, and waits until a
 * vehicle on the map has moved. Gives what went wrong; an empty text when nothing did.
 */
export async function watchLink(banner: string): Promise<string> {
  const [, link] = /^\s*Console\s+(http\S+)/m.exec(banner) ?? [];
  if (link === undefined) return `no link to the console in\n${banner}`;
  const browser = await openBrowser();
  try {
    const { page, problems } = await openPage(browser, link);
    const first = new Map<string, string>();
    await waitFor(async () => (await drawnOn(page)).some(({ id, longitude, latitude }) => {
      const at = `${longitude} ${latitude}`;
      if (!first.has(id)) first.set(id, at);
      return first.get(id) !== at;
    }), { what: 'A vehicle that moves', deadlineMs: MOVING_MS_MAX, everyMs: POLL_MS });
    return problems.join('\n');
  } catch (error) {
    return String(error);
  } finally {
    await browser.close();
  }
}
