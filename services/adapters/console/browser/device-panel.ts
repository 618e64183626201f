import type { Addresses } from './addresses.ts';
import { ask } from './ask.ts';
import { curlButton } from './copy.ts';
import { el, facts } from './elements.ts';
import { stateOf } from './fleet.ts';
import type { DeviceRow } from './updates.ts';
import { recordView, timeText } from './record-view.ts';
import { ageText, TEXTS } from './texts.ts';

/** The panel of one device beside the map. */
export interface DevicePanel {
  readonly element: HTMLElement;
  /** Opens it for a device, or closes it. */
  open(id: string | undefined): void;
  /** Shows the position of a time, in seconds since epoch. */
  update(row: DeviceRow | undefined, atSeconds: number): void;
}

/** Makes the panel; what is fixed of a device is asked for once, its position comes by the feed. */
export function createDevicePanel(addresses: Addresses, onClose: () => void): DevicePanel {
  const moving = el('div');
  const fixed = el('div', { 'aria-live': 'polite' });
  const title = el('h2', { tabindex: -1 });
  const links = el('p');
  let opened: string | undefined;
  const element = el('aside', { class: 'device', hidden: true, 'aria-label': TEXTS.device },
    el('button', { 'type': 'button', 'class': 'close', 'aria-label': TEXTS.close, 'onclick': onClose }, '×'),
    title, moving, fixed, links);

  async function showFixed(id: string): Promise<void> {
    const address = addresses.device(id);
    if (address === undefined) return;
    const asked = await ask<object>(address);
    if (opened !== id) return;
    fixed.replaceChildren(asked.ok ? recordView(asked.body) : el('p', {}, TEXTS.refused(asked.detail)));
    links.replaceChildren(
      curlButton(address), ' ', el('a', { href: `#/device/${id}` }, TEXTS.openDevice),
    );
  }

  return {
    element,
    open(id) {
      opened = id;
      element.hidden = id === undefined;
      title.textContent = id ?? '';
      for (const part of [moving, fixed, links]) part.replaceChildren();
      if (id === undefined) return;
      title.focus();
      void showFixed(id);
    },
    update(row, atSeconds) {
      if (row === undefined) {
        moving.replaceChildren();
        return;
      }
      const { latitude, longitude, timestamp, speed, bearing } = row;
      const age = atSeconds - timestamp;
      moving.replaceChildren(facts([
        [TEXTS.state, TEXTS.states[stateOf(row, atSeconds)]],
        [TEXTS.stateMeaning, row.state && TEXTS.stateMeanings[row.state]],
        [TEXTS.lastPosition, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
        [TEXTS.time, timeText(timestamp * 1_000)],
        [TEXTS.age, ageText(age)],
        [TEXTS.speedOf, speed === undefined ? undefined : `${speed} km/h`],
        [TEXTS.bearing, bearing === undefined ? undefined : `${bearing}°`],
      ]));
    },
  };
}
