import { find } from 'geo-tz/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, type History } from '../clickhouse/history.ts';
import { offsetsOf } from '../../../scripts/build-time-zones/clocks.ts';

const POINTS = 3_000;
/** Towns beside a border at which the clocks differ, each within a kilometer or two of it. */
const BORDER_TOWNS = [
  ['Rivera', -30.9053, -55.5508], ['Santana do Livramento', -30.8833, -55.5325],
  ['Foz do Iguacu', -25.5469, -54.5882], ['Ciudad del Este', -25.5097, -54.6111],
  ['Leticia', -4.2153, -69.9406], ['Tabatinga', -4.2400, -69.9345],
  ['El Paso', 31.7776, -106.4425], ['Los Algodones', 32.7153, -114.7289],
  ['Haparanda', 65.8355, 24.1368], ['Tornio', 65.8481, 24.1466],
  ['Badajoz', 38.8786, -6.9703], ['Elvas', 38.8810, -7.1630],
  ['Kehl', 48.5720, 7.8156], ['Strasbourg', 48.5734, 7.7521], ['Narva', 59.3772, 28.1903],
  ['Ivangorod', 59.3766, 28.2231], ['Mendoza', -32.8895, -68.8458], ['Tulcan', 0.8119, -77.7173],
  ['Attari', 31.5995, 74.6060], ['Kolkata', 22.5726, 88.3639], ['Lord Howe', -31.5553, 159.0821],
] as const;

let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(() => history.drop());

/** The zone of each point by the tables, with its source. */
async function zonesOf(points: readonly (readonly [number, number])[]) {
  const rows = await history.admin.query(`
    WITH (SELECT argMax(release, applied_at) FROM time_zone_releases) AS current
    SELECT p.n AS n, r.zones AS zones
    FROM (SELECT number AS n, current AS release,
                 ({la:Array(Float64)})[n + 1] AS la, ({lo:Array(Float64)})[n + 1] AS lo,
                 bitShiftRight(geoToH3(la, lo, 8), 21) AS cell
          FROM numbers(length({la:Array(Float64)}))) AS p
    ASOF LEFT JOIN time_zone_runs AS r ON p.release = r.release AND p.cell >= r.start
    ORDER BY n`, { la: points.map(([la]) => la), lo: points.map(([, lo]) => lo) });
  return rows.map(({ zones }) => String(zones));
}

describe('time zones of places', () => {
  it('are those of geo-tz but at borders, which are marked with both zones', async () => {
    const points: [number, number][] = [];
    for (let n = 1; points.length < POINTS; n += 1) {
      // The golden ratio spreads points evenly; zones of Antarctica are those of its stations.
      const at: [number, number] = [
        Math.asin(2 * (n * 0.618033988749895 % 1) - 1) * 180 / Math.PI,
        n * 0.754877666 % 1 * 360 - 180,
      ];
      if (at[0] > -60 && !(find(...at)[0] ?? 'Etc/').startsWith('Etc/')) points.push(at);
    }
    const found: string[] = [];
    for (let from = 0; from < POINTS; from += 500) {
      found.push(...await zonesOf(points.slice(from, from + 500)));
    }
    const wrong = points.map((point, index) => ({ wanted: find(...point), zones: found[index] ?? '' }))
      .filter(({ wanted, zones }) => !wanted.includes(zones.replace('*', '').split(',')[0] ?? ''));
    expect(wrong.filter(({ wanted, zones }) => (
      !zones.endsWith('*') || !zones.replace('*', '').split(',').includes(wanted[0] ?? '')
      // Where zones overlap geo-tz names both, or one of them.
    )).length).toBeLessThanOrEqual(POINTS / 1_000);
    expect(wrong.length).toBeLessThanOrEqual(POINTS / 250);
    const at = Date.UTC(2026, 0, 1) / 1_000;
    const late = wrong.filter(({ wanted, zones }) => (
      offsetsOf(zones.split(/[,*]/)[0] ?? '')(at) !== offsetsOf(wanted[0] ?? '')(at)
    ));
    expect(late.length).toBeLessThanOrEqual(POINTS / 1_000);
  });

  it('are right in towns beside a border', async () => {
    const found = await zonesOf(BORDER_TOWNS.map(([, la, lo]) => [la, lo]));
    expect(BORDER_TOWNS.map(([name], n) => [name, found[n]?.replace('*', '').split(',')[0]]))
      .toEqual(BORDER_TOWNS.map(([name, la, lo]) => [name, find(la, lo)[0]]));
  });
});
