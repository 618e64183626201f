import { curlOf } from './addresses.ts';
import { el } from './elements.ts';
import { TEXTS } from './texts.ts';

const SHOWN_MS = 2_000;

/** A button that puts the call into the clipboard. */
export function curlButton(address: string): HTMLButtonElement {
  const button = el('button', {
    type: 'button',
    onclick: () => {
      void navigator.clipboard.writeText(curlOf(address, location.origin)).then(() => {
        button.textContent = TEXTS.copied;
        setTimeout(() => { button.textContent = TEXTS.copyCurl; }, SHOWN_MS);
      });
    },
  }, TEXTS.copyCurl);
  return button;
}
