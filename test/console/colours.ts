import type { Page } from 'playwright-core';

const READ = `async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  const colours = [];
  for (let at = 0; at < data.length; at += 4) colours.push(data.slice(at, at + 3).join());
  return colours;
}`;

/** A part of the map in CSS pixels from its corner; one pixel without more. */
interface MapPart {
  readonly left: number;
  readonly top: number;
  readonly width?: number;
  readonly height?: number;
}

/** Colours of a part of the map as a person sees it, each as `red,green,blue`; none twice. */
export async function coloursOf(page: Page, part: MapPart): Promise<readonly string[]> {
  return [...new Set(await pixelsOf(page, part))];
}

/** The colour of each pixel of a part of the map, row by row. */
export async function pixelsOf(
  page: Page, { left, top, width = 1, height = 1 }: MapPart,
): Promise<readonly string[]> {
  const { x, y } = (await page.locator('.map').boundingBox())!;
  const picture = await page.screenshot({ clip: { x: x + left, y: y + top, width, height } });
  return page.evaluate(`(${READ})(${JSON.stringify(picture.toString('base64'))})`);
}
