import { curlOf } from './addresses.ts';
import { el } from './elements.ts';
import { TEXTS } from './texts.ts';

const SHOWN_MS = 2_000;

/** A button that puts the call into the clipboard. */
export function curlButton(address: string): HTMLButtonElement {
  return copyButton(TEXTS.copyCurl, () => curlOf(address, location.origin));
}

/** A button that puts a text into the clipboard, and says so for a moment. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = el('button', {
    type: 'button',
    onclick: () => {
      void navigator.clipboard.writeText(text()).then(() => {
        button.textContent = TEXTS.copied;
        setTimeout(() => { button.textContent = label; }, SHOWN_MS);
      });
    },
  }, label);
  return button;
}
