import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../infra/local/wait.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';
import { drawnOn } from './watched-page.ts';

const WAIT_MS_MAX = 100_000;
const SIZE = { width: 3_840, height: 2_160 };

let platform: MemoryPlatform;
let devices: readonly string[];

const pages = openPages(async (opened) => {
  platform = opened;
  const acme = await platform.addClient();
  devices = [await platform.addDevice(acme), await platform.addDevice(acme)];
  // Far apart from west to east, so that the first view reaches both its sides.
  platform.move({ client: acme, device: devices[0]!, latitude: 10, longitude: -100 });
  platform.move({ client: acme, device: devices[1]!, latitude: 10, longitude: 60 });
});

const eventually = (what: string, holds: () => Promise<boolean>): Promise<void> => (
  waitFor(holds, { what, deadlineMs: WAIT_MS_MAX }));

async function openFleet(): Promise<Page> {
  const at = await pages.signedIn(['--operator'], { viewport: SIZE });
  await eventually('Both devices', async () => (await drawnOn(at)).length === 2);
  return at;
}

/** Parts that cover each other, by their names. */
const COVERED = `(parts) => {
  const boxes = parts.map((part) => [part, document.querySelector(part)?.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], at) => boxes.slice(at + 1).flatMap(([other, b]) => {
    if (a === undefined || b === undefined) return [\`\${a === undefined ? one : other} is not there\`];
    const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    return isApart ? [] : [\`\${one} and \${other}\`];
  }));
}`;

/** What can be operated and has something else above its middle, and what is cut off. */
const UNREACHED = `() => [...document.querySelectorAll('a, button, input, select, summary')]
  .filter((each) => each.checkVisibility() && !each.matches('.skip, .skip *'))
  .flatMap((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return each.contains(above) || above?.contains(each) ? [] : [each.outerHTML.slice(0, 120)];
  })`;

/** Elements with more in them than is shown from side to side. */
const SIDEWAYS = `() => [...document.querySelectorAll('body, main, header, .panel, .device, .timeline')]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className || each.tagName)`;

describe('the fleet on a screen of 3,840 × 2,160 pixels', () => {
  it('covers no part of it by another, and scrolls nothing sideways', async () => {
    const at = await openFleet();
    await at.getByText('Nearest to the middle').press('Enter');
    await at.getByRole('button', { name: devices[0]! }).press('Enter');
    await at.getByRole('complementary', { name: 'Device' })
      .getByText('10.00000, -100.00000').waitFor();
    const parts = ['header', '.panel', 'aside.device', '.maplibregl-ctrl-group', '.timeline'];
    expect(await at.evaluate(`(${COVERED})(${JSON.stringify(parts)})`)).toEqual([]);
    expect(await at.evaluate(`(${UNREACHED})()`)).toEqual([]);
    expect(await at.evaluate(`(${SIDEWAYS})()`)).toEqual([]);
    expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(SIZE.width);
  });

  it('shows every device beside the panel at first', async () => {
    const at = await openFleet();
    const panel = (await at.locator('.panel').boundingBox())!;
    await eventually('The first view', async () => (
      (await drawnOn(at)).every(({ left }) => left > 0 && left < SIZE.width)));
    const firstLeft = Math.min(...(await drawnOn(at)).map(({ left }) => left));
    expect(firstLeft).toBeGreaterThan(panel.x + panel.width);
  });

  it('notices a part that covers another', async () => {
    const at = await openFleet();
    await at.evaluate(`void Object.assign(document.querySelector('.timeline').style, {
      position: 'absolute', top: '1rem', left: '1rem',
    })`);
    expect(await at.evaluate(`(${COVERED})(['.panel', '.timeline'])`)).toEqual(['.panel and .timeline']);
    expect(await at.evaluate(`(${UNREACHED})()`)).not.toEqual([]);
  });
});
