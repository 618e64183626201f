import type { Map as MapOfDevices } from 'maplibre-gl';
import { deviceColours, openMap, recolour } from './base-map.ts';
import { createDeviceLayer } from './device-layer.ts';
import { createDevicePanel } from './device-panel.ts';
import { el } from './elements.ts';
import {
  boundsOf, createFleet, drawFleet, mercatorX, mercatorY, nearest, stateOf, type Drawn,
} from './fleet.ts';
import { createFleetPanel } from './fleet-panel.ts';
import { followFleet } from './follow-fleet.ts';
import { themeNow, onTheme } from './theme.ts';
import type { Around } from './page.ts';
import { loadPast } from './past-fleet.ts';
import { publishDrawn } from './published.ts';
import { TEXTS } from './texts.ts';
import { createTimeSlider } from './time-slider.ts';

const TICK_MS = 250;
/** Ages of devices on the map are no older than this. */
const REDRAW_MS = 1_000;
const NEAREST = 10;
/** How near a click must be, in CSS pixels. */
const CLICK_PIXELS = 12;
const TILE_PIXELS = 512;
/** Of the first view: pixels around devices, and beside the panel, and no nearer than a town. */
const FIT = { animate: false, maxZoom: 10 } as const;
const [EDGE_PIXELS, BESIDE_PIXELS] = [48, 38];
/** A narrower map has the panel above it, from side to side. */
const BESIDE_FROM_PIXELS = 960;

/** Every device on one map: now by the live feed, and at any minute by the fleet of the past. */
export async function fleetPage(main: HTMLElement, around: Around): Promise<void> {
  const { addresses, leaving } = around;
  if (addresses.positions === undefined) {
    main.replaceChildren(el('p', { class: 'text' }, TEXTS.noPositions));
    return;
  }
  const live = createFleet();
  const past = createFleet();
  let chosen = around.rest === '' ? undefined : around.rest;
  let drawn: Drawn = drawFleet(live, 0, () => true);
  let isStale = true;
  let drawnAtMs = 0;
  let provider = '';
  let loading: AbortController | undefined;
  let wanted: number | undefined;
  let hasView = false;

  const panel = createFleetPanel({
    hasProviders: addresses.hasProviders, onDevice: choose,
    onFilter: redraw,
    onProvider(name) {
      provider = name;
      feed.restart(withProvider(addresses.positions ?? ''));
      const atMs = slider.atMs();
      if (atMs !== undefined) void showPast(atMs);
    },
  });
  const device = createDevicePanel(addresses, () => { choose(undefined); });
  const slider = createTimeSlider({
    onMoment: (atMs) => { void showPast(atMs); },
    onLive() {
      loading?.abort();
      wanted = undefined;
      redraw();
    },
  });
  const container = el('div', { class: 'map' });
  main.replaceChildren(el('div', { class: 'fleet' },
    container, panel.element, device.element, slider.element));
  const feed = followFleet(live, {
    onChange: redraw, onSignedOut: around.signedOut,
    onStatus: (text) => { if (slider.atMs() === undefined) panel.showStatus(text); },
  }, leaving);
  feed.restart(withProvider(addresses.positions));
  const map = await openMap(container, themeNow());
  if (leaving.aborted) {
    map.remove();
    return;
  }
  const layer = createDeviceLayer(pointSize);
  layer.colour(deviceColours(themeNow()));
  map.addLayer(layer);
  publishDrawn(map, () => drawn);
  onTheme((theme) => {
    recolour(map, theme);
    layer.colour(deviceColours(theme));
  }, leaving);
  map.on('click', ({ lngLat }) => { choose(nearestTo(drawn, lngLat, clickReach(map), 1)[0]); });
  map.on('movestart', ({ originalEvent }) => { hasView ||= originalEvent !== undefined; });
  if (chosen !== undefined) choose(chosen);
  const ticking = setInterval(tick, TICK_MS);
  leaving.addEventListener('abort', () => {
    clearInterval(ticking);
    map.remove();
  });

  function withProvider(address: string): string {
    return provider === '' ? address : `${address}&provider=${encodeURIComponent(provider)}`;
  }

  function redraw(): void {
    isStale = true;
  }

  function choose(id: string | undefined): void {
    chosen = id;
    device.open(id);
    redraw();
  }

  /** One load at a time; while it runs only the last wish is kept. */
  async function showPast(atMs: number): Promise<void> {
    wanted = atMs;
    if (loading !== undefined) return;
    while (wanted !== undefined && !leaving.aborted) {
      const moment: number = wanted;
      wanted = undefined;
      loading = new AbortController();
      const asked = await loadPast(
        withProvider(addresses.past ?? ''), moment, AbortSignal.any([leaving, loading.signal]),
      ).catch(() => undefined);
      loading = undefined;
      if (slider.atMs() === undefined || asked === undefined) return;
      if (!asked.ok) {
        panel.showStatus(TEXTS.pastFailed(asked.detail));
        if (asked.status === 401 || asked.code === 'invalid_token') around.signedOut();
        return;
      }
      past.clear();
      for (const row of asked.body) past.put(row);
      panel.showStatus(TEXTS.past);
      redraw();
    }
  }

  /** Once, with the first devices, unless someone has moved the map by then. */
  function showAll(): void {
    const bounds = boundsOf(drawn);
    if (bounds === undefined) return;
    hasView = true;
    const isWide = container.clientWidth > BESIDE_FROM_PIXELS;
    const { offsetLeft, offsetWidth } = panel.element;
    map.fitBounds(bounds, {
      ...FIT,
      padding: {
        top: EDGE_PIXELS, right: EDGE_PIXELS, bottom: EDGE_PIXELS,
        left: isWide ? offsetLeft + offsetWidth + BESIDE_PIXELS : EDGE_PIXELS,
      },
    });
  }

  function tick(): void {
    slider.tick(TICK_MS);
    const atMs = slider.atMs();
    const fleet = atMs === undefined ? live : past;
    const atSeconds = (atMs ?? feed.nowMs()) / 1_000;
    // Ages change without any update.
    if (isStale || performance.now() - drawnAtMs >= REDRAW_MS) {
      drawnAtMs = performance.now();
      drawn = drawFleet(fleet, atSeconds, panel.isShown, chosen);
      isStale = false;
      layer.show(drawn);
      panel.showCounts(drawn.counts);
    }
    if (!hasView) showAll();
    panel.showNearest(nearestTo(drawn, map.getCenter(), 1, NEAREST).flatMap((id) => {
      const row = fleet.find(id);
      return row === undefined ? [] : [{ id, state: stateOf(row, atSeconds) }];
    }));
    if (chosen !== undefined) device.update(fleet.find(chosen), atSeconds);
    if (atMs === undefined) feed.showAge();
  }
}

/** Small on the map of the world, larger on that of a town; in CSS pixels. */
function pointSize(zoom: number): number {
  return Math.min(12, Math.max(4, zoom + 2));
}

function clickReach(map: MapOfDevices): number {
  return CLICK_PIXELS / (TILE_PIXELS * 2 ** map.getZoom());
}

function nearestTo(
  drawn: Drawn, { lng, lat }: { readonly lng: number; readonly lat: number }, most: number,
  count: number,
): readonly string[] {
  return nearest(drawn, mercatorX(lng), mercatorY(lat), most, count);
}
