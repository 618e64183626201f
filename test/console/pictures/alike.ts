import type { Page } from 'playwright-core';

/**
 * What the browser does: each picture becomes 48 × 28 cells, which glyphs and single devices are
 * smaller than; a cell differs where the mean of its three colours is 12 of 255 apart.
 */
const COMPARE = `async (pictures) => {
  const [columns, rows, least] = [48, 28, 12];
  const [mine, yours] = await Promise.all(pictures.map(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), {
      resizeWidth: columns, resizeHeight: rows, resizeQuality: 'high',
    });
    const context = new OffscreenCanvas(columns, rows).getContext('2d');
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, columns, rows).data;
  }));
  let different = 0;
  for (let at = 0; at < mine.length; at += 4) {
    const far = [0, 1, 2].reduce((sum, colour) => (
      sum + Math.abs(mine[at + colour] - yours[at + colour])), 0);
    if (far / 3 >= least) different += 1;
  }
  return different / (columns * rows);
}`;

/**
 * The share of the cells, 0 to 1, in which two PNG pictures differ as a person would see from afar:
 * other fonts, other ages and other ids are the same picture, another layout or theme is not.
 */
export function differenceOf(page: Page, one: Buffer, other: Buffer): Promise<number> {
  const pictures = JSON.stringify([one, other].map((each) => each.toString('base64')));
  return page.evaluate(`(${COMPARE})(${pictures})`);
}
