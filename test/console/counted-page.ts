import type { Locator, Page } from 'playwright-core';

/** What a person does on a page to get an answer, counted by the browser itself. */
export interface CountedPage {
  readonly at: Page;
  click(what: Locator): Promise<void>;
  /** Opens Find, pastes a text there, and presses Enter. */
  paste(text: string): Promise<void>;
  /** How often it clicked and pasted so far. */
  counted(): Promise<{ readonly clicks: number; readonly pastes: number }>;
}

/** Counts from now on: the page must be the one that a person begins with. */
export async function countOn(at: Page): Promise<CountedPage> {
  await at.context().grantPermissions(
    ['clipboard-read', 'clipboard-write'], { origin: new URL(at.url()).origin },
  );
  // A click that a key made has no detail: it is the key that a person pressed.
  await at.evaluate(`
    globalThis.counted = { clicks: 0, pastes: 0 };
    addEventListener('click', ({ isTrusted, detail }) => {
      if (isTrusted && detail > 0) globalThis.counted.clicks += 1;
    }, true);
    addEventListener('paste', ({ isTrusted }) => {
      if (isTrusted) globalThis.counted.pastes += 1;
    }, true);
  `);
  return {
    at,
    click: (what) => what.click(),
    async paste(text) {
      await at.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await at.getByRole('link', { name: 'Find' }).click();
      await at.locator('input[type=search]:focus').waitFor();
      await at.keyboard.press('Control+V');
      await at.keyboard.press('Enter');
    },
    counted: () => at.evaluate('globalThis.counted'),
  };
}
