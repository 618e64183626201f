import { expect } from 'vitest';
import { naiveOddFixes, type NaiveOddFix } from '../../support/naive-odd-fixes.ts';
import type { AnalystData } from './analyst-data.ts';
import { text, type Expectation } from './expectations.ts';
import { tally } from './reckoning.ts';
import type { TestTrack } from './test-track.ts';

/** What the queries about odd fixes must say of recorded drives: a bus has one. */
export function ofOddFixes(
  { tracks, startTs }: AnalystData,
): Readonly<Record<string, Expectation>> {
  const window = { since: text(startTs), until: text(startTs + 2 * 86_400) };
  const odd = tracks.flatMap((track) => oddOf(track).map((fix) => ({ ...fix, ...track })));
  return {
    'odd-fixes': {
      parameters: { device: '', ...window },
      check: (rows) => {
        expect(rows.map(({ device_id, ts, kind }) => [device_id, String(ts).slice(0, 19), kind]))
          .toEqual(odd.toSorted((a, b) => b.ts - a.ts)
            .map(({ device, ts, kind }) => [device, text(ts), kind]));
      },
    },
    'odd-fixes-by-provider': {
      parameters: window,
      check: (rows) => {
        expect(new Map(rows.map(({ provider, kind, fixes }) => (
          [`${String(provider)} ${String(kind)}`, Number(fixes)]
        )))).toEqual(tally(odd.map(({ provider, kind }) => `${provider} ${kind}`)));
      },
    },
  };
}

function oddOf({ fixes }: TestTrack): readonly NaiveOddFix[] {
  return naiveOddFixes(fixes.map(({ timestamp, latitude, longitude, telemetry }, offset) => ({
    ts: timestamp, latitude: Math.round(latitude * 1e7) / 1e7,
    longitude: Math.round(longitude * 1e7) / 1e7, receivedAt: timestamp + 3, offset,
    speed: telemetry?.speed === undefined ? undefined : Math.fround(telemetry.speed),
    odometer: telemetry?.odometer,
  })));
}
