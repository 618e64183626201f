import type { BrowserSession } from '../../../kernel/sessions.ts';
import { addressesOf } from './addresses.ts';
import type { GatewayReply } from './ask.ts';
import { deadLettersPage } from './dead-letters-page.ts';
import { devicePage } from './device-page.ts';
import { el } from './elements.ts';
import { findPage } from './find-page.ts';
import { fleetPage } from './fleet-page.ts';
import { partnerPage } from './partner-page.ts';
import { themeChoice, startTheme } from './theme.ts';
import type { Page } from './page.ts';
import { pipelinePage } from './pipeline-page.ts';
import { endSession, findSession, openLink } from './session.ts';
import { TEXTS } from './texts.ts';
import { shipmentPage } from './shipment-page.ts';

/** The pages by the name in their address, `#/name/rest`. */
const PAGES: Readonly<Record<string, Page>> = {
  'fleet': fleetPage, 'find': findPage, 'device': devicePage, 'shipment': shipmentPage,
  'dead-letters': deadLettersPage, 'partner': partnerPage, 'pipeline': pipelinePage,
};
const LINK = /^#link=([A-Za-z0-9_-]{45})$/;

startTheme();
await start();

/** Opens the link of the address, or goes on with the session that this browser has. */
async function start(): Promise<void> {
  const link = LINK.exec(location.hash)?.[1];
  if (link === undefined) {
    showSession(await findSession());
    return;
  }
  // A link is good once: it must not stay in the history.
  history.replaceState(null, '', location.pathname);
  showText(TEXTS.signInTitle, TEXTS.signInOpening);
  showSession(await openLink(link));
}

function showSession(asked: GatewayReply<BrowserSession>): void {
  if (asked.ok) showShell(asked.body);
  else showSignIn(asked.status === 0 || asked.status >= 500 ? asked.detail : undefined);
}

function showSignIn(problem: string | undefined): void {
  showText(TEXTS.signInTitle, problem ?? TEXTS.signInHow, 'rastro console link --operator');
}

function showText(title: string, text: string, command?: string): void {
  document.body.replaceChildren(el('main', { class: 'text sign-in' },
    el('h1', {}, title), el('p', {}, text),
    command === undefined ? undefined : el('pre', {}, command)));
}

/** Head with the ways to the pages, and the part that they fill. */
function showShell(session: BrowserSession): void {
  let leaving = new AbortController();
  const main = el('main', { id: 'main', tabindex: -1 });
  const addresses = addressesOf(session);
  const links = [
    ['fleet', TEXTS.fleet], ['find', TEXTS.find],
    ...addresses.own === undefined ? [] : [['partner', TEXTS.partner] as const],
    ...addresses.pipeline === undefined ? [] : [['pipeline', TEXTS.pipeline.title] as const],
    ...addresses.deadLetters === undefined ? [] : [['dead-letters', TEXTS.deadLetters] as const],
  ].map(([name = '', text]) => el('a', { href: `#/${name}` }, text));
  // Who has no positions begins with what it has.
  const home = addresses.positions === undefined && addresses.own !== undefined
    ? 'partner' : 'fleet';
  const header = el('header', {},
    el('a', {
      class: 'skip', href: '#main',
      onclick: (event) => {
        event.preventDefault();
        main.focus();
      },
    }, TEXTS.skip),
    el('strong', {}, TEXTS.title), el('nav', { 'aria-label': TEXTS.title }, ...links),
    el('span', { class: 'who', title: session.client_id }, TEXTS.signedInAs(session.name)),
    themeChoice(),
    el('button', { type: 'button', onclick: () => { void signOut(); } }, TEXTS.signOut));
  document.body.replaceChildren(header, main);

  function signedOut(): void {
    leaving.abort();
    removeEventListener('hashchange', showPage);
    showSignIn(undefined);
  }

  async function signOut(): Promise<void> {
    const ended = await endSession();
    signedOut();
    if (!ended.ok && ended.status !== 401 && ended.status !== 403) showSignIn(ended.detail);
  }

  function showPage(): void {
    leaving.abort();
    leaving = new AbortController();
    const [, name = home, ...rest] = location.hash.split('/');
    const page = PAGES[name] ?? fleetPage;
    for (const link of links) {
      const isHere = link.getAttribute('href') === `#/${name}`;
      link.toggleAttribute('aria-current', isHere);
    }
    main.className = name;
    main.replaceChildren();
    void page(main, {
      session, addresses, rest: decoded(rest.join('/')),
      leaving: leaving.signal, signedOut,
    });
  }

  addEventListener('hashchange', showPage);
  showPage();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
