import { el } from './elements.ts';
import { STATES, type ShownState } from './fleet.ts';
import { TEXTS } from './texts.ts';

/** What the panel reports. */
export interface FleetPanelPorts {
  readonly hasProviders: boolean;
  readonly onFilter: () => void;
  readonly onProvider: (provider: string) => void;
  readonly onDevice: (id: string) => void;
}

/** A device of the list, and what it is. */
export interface NearDevice {
  readonly id: string;
  readonly state: ShownState;
}

/** The panel of filters and counts beside the map. */
export interface FleetPanel {
  readonly element: HTMLElement;
  readonly isShown: (state: ShownState) => boolean;
  showCounts(counts: Readonly<Record<ShownState, number>>): void;
  showStatus(text: string): void;
  showNearest(devices: readonly NearDevice[]): void;
}

/** Makes the panel. */
export function createFleetPanel(ports: FleetPanelPorts): FleetPanel {
  const total = el('strong', { class: 'total' });
  const status = el('p', { role: 'status' }, TEXTS.connecting);
  const boxes = new Map(STATES.map((state) => (
    [state, el('input', { type: 'checkbox', checked: true, onchange: ports.onFilter })]
  )));
  const counts = new Map(STATES.map((state) => [state, el('span', { class: 'count' }, '0')]));
  const list = el('ul', { class: 'nearest' });
  const provider = el('input', {
    type: 'search', placeholder: TEXTS.allProviders, autocomplete: 'off', spellcheck: 'false',
    onchange: () => { ports.onProvider(provider.value.trim()); },
  });
  const element = el('section', { 'class': 'panel', 'aria-label': TEXTS.fleet },
    total, status,
    el('fieldset', {}, el('legend', {}, TEXTS.show), ...STATES.map((state) => (
      el('label', { title: TEXTS.stateRanges[state] },
        boxes.get(state), el('span', { class: `dot ${state}` }), TEXTS.states[state], ' ',
        el('small', {}, TEXTS.stateRanges[state]), counts.get(state))
    ))),
    ports.hasProviders ? el('label', { class: 'provider' }, TEXTS.provider, provider) : undefined,
    el('details', {}, el('summary', {}, TEXTS.nearest), list));

  return {
    element,
    isShown: (state) => boxes.get(state)?.checked === true,
    showCounts(next) {
      const sum = STATES.reduce((all, state) => all + next[state], 0);
      write(total, TEXTS.devices(sum));
      for (const state of STATES) {
        const count = counts.get(state);
        if (count !== undefined) write(count, next[state].toLocaleString('en'));
      }
    },
    showStatus: (text) => { write(status, text); },
    showNearest(devices) {
      const texts = devices.map(({ id, state }) => `${id}${TEXTS.states[state]}`);
      // A button under the finger of a person must not be exchanged.
      if ([...list.children].map((each) => each.textContent).join() === texts.join()) return;
      if (list.contains(document.activeElement)) return;
      list.replaceChildren(...devices.map(({ id, state }) => el('li', {}, el('button', {
        type: 'button', onclick: () => { ports.onDevice(id); },
      }, id, el('small', {}, TEXTS.states[state])))));
      if (devices.length === 0) list.replaceChildren(el('li', {}, TEXTS.noDevices));
    },
  };
}

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
