import type { Evidence } from '../evidence.ts';
import type { Findings } from '../verdict.ts';
import { lackOf, knownFixesFor, type KnownFixes } from './known-fixes.ts';
import { applyView, type CameDevice, type ShownMap } from './shown-map.ts';
import { healedAt, viewersOf, type SeenBy } from './viewers.ts';

/** How long after the last fault a map may lack what was known then. */
const FRESH_MS_MAX = 10_000;

/** A map that was followed through all that its viewer got. */
interface FollowedMap {
  readonly map: ShownMap;
  /** After the heal it had what was known then; infinite for never. */
  readonly freshAfterMs: number;
  /** What it lacked when it was compared last. */
  readonly lack: string | undefined;
  /** Every device that ever came to it. */
  readonly came: readonly CameDevice[];
}

/**
 * The map of a viewer ends as the last positions are, and has what was known at the heal soon after
 * that. It never has a device of another client, nor one of which it was not said whose it is.
 */
export function checkMap(evidence: Evidence, viewer: SeenBy, findings: Findings): void {
  const known = knownFixesFor(evidence, viewer);
  const { map, freshAfterMs, lack, came } = followMap(evidence, viewer, known);
  const { name } = viewer;
  findings.examine();
  if (freshAfterMs > FRESH_MS_MAX) {
    findings.blame('stale-map', `The map of ${name} was not as it was known at the heal `
      + `${FRESH_MS_MAX} ms later: ${lack ?? `that came after ${Math.round(freshAfterMs)} ms`}.`);
  }
  for (const { device, isNamed } of came) {
    if (!isNamed) findings.blame('altered', `${device} came to ${name} without its provider.`);
  }
  for (const device of new Set(came.map((one) => one.device))) {
    if (known.isOwn(device)) continue;
    findings.blame('wrong-owner', `${device} came to ${name}, and is of another.`);
  }
  for (const [device, fix] of known.last) {
    findings.examine();
    const shown = map.get(device);
    const isSame = shown?.timestamp === fix.timestamp && shown.latitude === fix.latitude
      && shown.longitude === fix.longitude;
    if (isSame) continue;
    findings.blame('map-differs', `The last position of ${device} is ${JSON.stringify(fix)} by `
      + `the log, ${JSON.stringify(shown) ?? 'none'} on the map of ${name}.`);
  }
  for (const device of map.keys()) {
    if (!known.isOwn(device) || known.last.has(device)) continue;
    findings.blame('map-differs', `${device} is on the map of ${name}, though it was stopped.`);
  }
}

/** Milliseconds after the heal until all maps had what was known then; undefined without a map. */
export function mapsFreshAfter(evidence: Evidence): number | undefined {
  const maps = viewersOf(evidence).filter(({ feed }) => feed === 'fixes');
  if (maps.length === 0) return undefined;
  return Math.max(...maps.map((viewer) => (
    followMap(evidence, viewer, knownFixesFor(evidence, viewer)).freshAfterMs
  )));
}

function followMap(evidence: Evidence, { lines }: SeenBy, known: KnownFixes): FollowedMap {
  const map: ShownMap = new Map();
  const healed = healedAt(evidence);
  const came: CameDevice[] = [];
  let lack: string | undefined = 'it got nothing';
  let freshAfterMs = Infinity;
  const compareAt = (at: number): void => {
    if (freshAfterMs < Infinity) return;
    lack = lackOf(map, known);
    if (lack === undefined) freshAfterMs = Math.max(0, at - healed);
  };
  for (const line of lines) {
    // Until the next line the map stays as it was at the heal.
    if (line.at > healed) compareAt(healed);
    came.push(...applyView(map, line));
    if (line.at > healed) compareAt(line.at);
  }
  if (lines.length > 0) compareAt(healed);
  return { map, freshAfterMs, lack, came };
}
