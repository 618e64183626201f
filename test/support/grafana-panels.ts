import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface PanelFile {
  readonly title: string;
  readonly targets?: readonly { readonly rawSql?: string }[];
  readonly panels?: readonly PanelFile[];
}

/** A query of a panel over the tables of analysts. */
interface PanelQuery {
  readonly dashboard: string;
  readonly panel: string;
  readonly sql: string;
  /** Hours that the dashboard shows when it opens. */
  readonly hours: number;
}

/** Queries of all panels of the dashboards in a folder. */
export function panelQueries(folder: string): readonly PanelQuery[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json')).sort().flatMap((name) => {
    const { title, panels, time } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly title: string; readonly panels: readonly PanelFile[];
      readonly time: { readonly from: string };
    };
    const [, hours] = /^now-(\d+)h$/.exec(time.from) ?? [];
    if (hours === undefined) throw new Error(`${name} does not open with a number of hours.`);
    const all = panels.flatMap((panel) => [panel, ...panel.panels ?? []]);
    return all.flatMap(({ title: panel, targets = [] }) => targets.flatMap(({ rawSql }) => (
      rawSql === undefined ? [] : [{ dashboard: title, panel, sql: rawSql, hours: Number(hours) }]
    )));
  });
}

/** The macros of the plugin, as its documentation defines them. */
export function expandMacros(sql: string, fromS: number, toS: number): string {
  const at = (seconds: number): string => `toDateTime(${seconds})`;
  return sql
    .replaceAll(/\$__timeFilter\((\w+)\)/g, (_all, column: string) => (
      `${column} >= ${at(fromS)} AND ${column} <= ${at(toS)}`
    ))
    .replaceAll('$__fromTime', at(fromS)).replaceAll('$__toTime', at(toS))
    .replaceAll('$__from', String(fromS * 1_000)).replaceAll('$__to', String(toS * 1_000));
}
