import { EXPORTED_VIEWS } from '../export/views.ts';
import type { Analyst, VisibleView } from './user-xml.ts';

/** A view and its columns, as the store has them. */
export interface StoredView {
  readonly view: string;
  readonly columns: readonly string[];
}

/**
 * The views of an analyst. Who sees some providers or clients alone has the views that say whose
 * each row is; policies do not reach into a view with a window, nor into sums over several.
 */
export function visibleViews(
  { providers, clients }: Pick<Analyst, 'providers' | 'clients'>, stored: readonly StoredView[],
): readonly VisibleView[] {
  const limits = [
    ...(providers.length === 0 ? [] : [{ column: 'provider', values: providers }]),
    ...(clients.length === 0 ? [] : [{ column: 'client_id', values: clients }]),
  ];
  if (limits.length === 0) return stored.map(({ view }) => ({ view }));
  const filter = limits.map(({ column, values }) => (
    `${column} IN (${values.map(quoted).join(', ')})`
  )).join(' AND ');
  return stored
    .filter(({ view, columns }) => (
      limits.every(({ column }) => columns.includes(column))
      && EXPORTED_VIEWS.some(({ name, isWindowed }) => name === view && isWindowed !== true)
    ))
    .map(({ view }) => ({ view, filter }));
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
