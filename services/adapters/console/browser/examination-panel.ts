import type { PartyExamination, PartyExaminations } from '../../../../schemas/generated/types.ts';
import type { ExaminationAddresses } from './addresses.ts';
import { ask } from './ask.ts';
import { el } from './elements.ts';
import { examinationView, sumOf } from './examination-view.ts';
import { TEXTS } from './texts.ts';

/** What the panel needs of its page. */
export interface ExaminationAround {
  readonly leaving: AbortSignal;
  readonly signedOut: () => void;
}

/** One address on the page; it is made once, so that its button keeps the focus. */
interface AddressView {
  readonly element: HTMLElement;
  readonly show: (party: PartyExamination) => void;
}

const POLL_MS = 1_000;

/**
 * The addresses of a client that the platform calls, each with a button that has it examined and
 * the checks as they are made. Not seen by a client without such an address.
 */
export function examinationPanel(
  addresses: ExaminationAddresses, { leaving, signedOut }: ExaminationAround,
): HTMLElement {
  const views = new Map<string, AddressView>();
  const content = el('div', {});
  const section = el('section', { class: 'hit', hidden: true },
    el('h2', {}, TEXTS.examination), el('p', {}, TEXTS.examinationHow), content);
  void load();
  return section;

  async function load(): Promise<void> {
    const reply = await ask<PartyExaminations>(addresses.list, { signal: leaving })
      .catch(() => undefined);
    if (reply === undefined || leaving.aborted) return;
    if (!reply.ok) {
      if (reply.status === 401) signedOut();
      // What passes is waited for while addresses are shown.
      else if (views.size > 0 && isPassing(reply.status)) again();
      return;
    }
    const { parties } = reply.body;
    for (const party of parties) show(party);
    section.hidden = parties.length === 0;
    if (parties.some(isOpen)) again();
  }

  function again(): void {
    const timer = setTimeout(() => { void load(); }, POLL_MS);
    leaving.addEventListener('abort', () => { clearTimeout(timer); }, { once: true });
  }

  function show(party: PartyExamination): void {
    const known = views.get(party.party_id);
    const view = known ?? addressView(party);
    if (known === undefined) {
      views.set(party.party_id, view);
      content.append(view.element);
    }
    view.show(party);
  }

  function addressView({ party_id: id, name, role, address }: PartyExamination): AddressView {
    const button = el('button', { type: 'button', onclick: () => { void examine(); } }, TEXTS.examine);
    const says = el('p', { role: 'status' });
    const checks = el('div', {});
    let shown = '';
    return {
      element: el('div', {}, el('h3', {}, `${name}, ${role}`),
        el('p', {}, el('code', {}, address), ' ', button), says, checks),
      show(party) {
        button.disabled = isOpen(party);
        if (party.examination === undefined) return;
        const text = JSON.stringify(party.examination);
        if (text === shown) return;
        shown = text;
        says.textContent = sumOf(party.examination);
        checks.replaceChildren(...examinationView(party.examination));
      },
    };

    async function examine(): Promise<void> {
      button.disabled = true;
      const reply = await ask<PartyExamination>(addresses.examine(id), {
        method: 'POST', signal: leaving,
      }).catch(() => undefined);
      if (reply === undefined || leaving.aborted) return;
      if (reply.ok) {
        show(reply.body);
        again();
        return;
      }
      if (reply.status === 401) signedOut();
      button.disabled = false;
      says.textContent = TEXTS.refused(reply.detail);
    }
  }
}

/** No answer, an outage, or a limit. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function isOpen({ examination }: PartyExamination): boolean {
  return examination !== undefined && examination.status !== 'ended';
}
