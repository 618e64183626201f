import type { ContractRow } from './contract.ts';
import type { PinnedTitle } from './titles.ts';

/** How the tests cover the contract: each row with its titles, and titles that name no row. */
export interface Cover {
  readonly rows: readonly { readonly row: ContractRow; readonly titles: readonly PinnedTitle[] }[];
  readonly strays: readonly { readonly id: string; readonly title: PinnedTitle }[];
}

/** Lays the titles over the rows. */
export function coverOf(rows: readonly ContractRow[], titles: readonly PinnedTitle[]): Cover {
  const byId = new Map<string, PinnedTitle[]>(rows.map((row) => [row.id, []]));
  const strays: { id: string; title: PinnedTitle }[] = [];
  for (const title of titles) {
    for (const id of new Set(title.ids)) {
      const pinned = byId.get(id);
      if (pinned === undefined) strays.push({ id, title });
      else pinned.push(title);
    }
  }
  return { rows: rows.map((row) => ({ row, titles: byId.get(row.id) ?? [] })), strays };
}

/** The rows of these areas that no test pins; no areas means all of them. */
export function missingRows(cover: Cover, areas: readonly string[]): ContractRow[] {
  return cover.rows
    .filter(({ row, titles }) => titles.length === 0 && inAreas(row, areas))
    .map(({ row }) => row);
}

/** Whether a row belongs to one of the areas; no areas means all of them. */
export function inAreas(row: ContractRow, areas: readonly string[]): boolean {
  return areas.length === 0 || areas.includes(row.area);
}
