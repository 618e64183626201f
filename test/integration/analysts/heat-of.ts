import { latLngToCell } from 'h3-js';

/** A fix as far as heat goes. */
export interface HeatFix {
  readonly device: string;
  readonly provider: string;
  readonly ts: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed?: number | undefined;
}

/** A row of v_heat; counts are text, as they come out. */
export interface HeatRow {
  readonly provider: string;
  readonly hour: string;
  readonly cell: string;
  readonly devices: string;
  readonly seconds: string;
}

/** Rows of v_heat by provider, hour and cell, by a look at every fix. */
export function heatOf(fixes: readonly HeatFix[]): readonly HeatRow[] {
  const known = fixes.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  const minutes = Map.groupBy(known, ({ device, ts }) => `${device} ${Math.floor(ts / 60)}`);
  const counted = [...minutes.values()].flatMap((all) => {
    const last = all.toSorted(byTimeAndPlace).at(-1);
    if (last === undefined) return [];
    const hour = new Date(Math.floor(last.ts / 3_600) * 3_600_000).toISOString();
    return [{
      device: last.device, seconds: new Set(all.map(({ ts }) => ts)).size,
      provider: last.provider, hour: hour.slice(0, 19).replace('T', ' '),
      cell: latLngToCell(last.latitude, last.longitude, 8),
    }];
  });
  const cells = Map.groupBy(counted, (row) => `${row.provider} ${row.hour} ${row.cell}`);
  return [...cells].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, rows]) => {
    const [{ provider, hour, cell } = { provider: '', hour: '', cell: '' }] = rows;
    return [{
      provider, hour, cell, devices: String(new Set(rows.map(({ device }) => device)).size),
      seconds: String(rows.reduce((sum, { seconds }) => sum + seconds, 0)),
    }];
  });
}

function byTimeAndPlace(a: HeatFix, b: HeatFix): number {
  return a.ts - b.ts || a.latitude - b.latitude || a.longitude - b.longitude;
}
