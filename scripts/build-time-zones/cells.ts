import { find, setCache } from 'geo-tz/all';
import { cellToChildren, cellToLatLng, getRes0Cells } from 'h3-js';
import { RESOLUTION } from '../../services/adapters/clickhouse/time-zones-file.ts';
import { bordersOf, type IndexSquare } from './borders.ts';
import { clocksOf } from './clocks.ts';

/** Runs of cells along the order of H3, as the file has them. */
export interface CellRuns {
  readonly zones: readonly string[];
  readonly groups: readonly string[];
  readonly starts: readonly number[];
  readonly lists: readonly number[];
}

/** The mark that a border passes through a cell. */
const BORDER = '*';

/**
 * The zone of every cell of land and of coastal waters. A cell is divided where a border passes
 * through it, down to the finest resolution where clocks differ across the border.
 */
export function zonesOfCells(): CellRuns {
  const pieces = new Map<string, IndexSquare>();
  setCache({ preload: true, store: pieces });
  const zones = [...new Set([...pieces.values()].flatMap(({ features }) => (
    features.map(({ properties }) => properties.tzid)
  )))].toSorted();
  const borders = bordersOf([...pieces.values()], clocksOf(zones));
  const runs = new Runs();
  const visit = (cell: string, depth: number): void => {
    const border = borders[depth]?.get(cell);
    if (border !== undefined && border.depth > depth) {
      for (const child of cellToChildren(cell, depth + 1)) visit(child, depth + 1);
      return;
    }
    runs.add(cell, depth, groupOf(cell, border?.zones));
  };
  for (const cell of sorted(getRes0Cells())) visit(cell, 0);
  return { zones, ...runs.done() };
}

/** The zone of a cell, or several with that of its center first; empty on the high seas. */
function groupOf(cell: string, touched: readonly string[] | undefined): string {
  if (touched?.length === 1) return touched[0] ?? '';
  const [latitude, longitude] = cellToLatLng(cell);
  const found = find(latitude, longitude).filter((zone) => !zone.startsWith('Etc/'));
  if (touched === undefined) return found[0] ?? '';
  return [...new Set([...found.slice(0, 1), ...touched])].join(',') + BORDER;
}

function sorted(cells: readonly string[]): readonly string[] {
  return cells.toSorted((a, b) => (BigInt(`0x${a}`) < BigInt(`0x${b}`) ? -1 : 1));
}

/** Puts cells beside each other that have the same zones. They are visited in their order. */
class Runs {
  readonly #groups = new Map<string, number>([['', 0]]);
  readonly #starts: number[] = [];
  readonly #lists: number[] = [];

  add(cell: string, depth: number, group: string): void {
    const list = this.#groups.get(group) ?? this.#groups.size;
    this.#groups.set(group, list);
    if (this.#lists.at(-1) === list) return;
    this.#starts.push(firstOf(cell, depth));
    this.#lists.push(list);
  }

  done(): Pick<CellRuns, 'groups' | 'starts' | 'lists'> {
    return { groups: [...this.#groups.keys()], starts: this.#starts, lists: this.#lists };
  }
}

/** The first of the finest cells in a cell, without the digits that none of them has. */
function firstOf(cell: string, depth: number): number {
  let bits = BigInt(`0x${cell}`);
  bits = (bits & ~(15n << 52n)) | (BigInt(RESOLUTION) << 52n);
  for (let digit = depth + 1; digit <= RESOLUTION; digit += 1) {
    bits &= ~(7n << BigInt(3 * (15 - digit)));
  }
  return Number(bits >> BigInt(3 * (15 - RESOLUTION)));
}
