import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A column of a view, as its definition says it. */
export interface ViewColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

/** A view that analysts read. */
export interface View {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly ViewColumn[];
  /** Parameters that it must be asked with, e.g. `since DateTime64(3, 'UTC')`. */
  readonly parameters: readonly string[];
}

/** How long rows of a table are kept: days after the column, none means forever. */
export interface Retention {
  readonly table: string;
  readonly column: string;
  readonly days: number;
}

const VIEW = /^CREATE (?:OR REPLACE )?VIEW (?:IF NOT EXISTS )?(v_\w+)\s*\(\n([\s\S]*?)\n\)\nSQL SECURITY DEFINER\nAS ([\s\S]*)$/;
const COLUMN = /^ {4}(\w+)\s+([\s\S]+?)\s+COMMENT\s+'((?:[^']|'')*)'/;
const COMMENT = /\nCOMMENT\s+'((?:[^']|'')*)'$/;
const TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)[\s\S]*\nENGINE = (\w*MergeTree)/;
const TTL = /\nTTL (?:toDate(?:Time)?\()?(\w+)\)?(?: \+ 1)? \+ INTERVAL (\d+) DAY DELETE/;
const PARAMETER = /\{(\w+):([^}]+)\}/g;

/** Views and retention as the numbered files of a folder make them; the last saying counts. */
export function readViews(folder: string): {
  readonly views: readonly View[]; readonly retention: readonly Retention[];
} {
  const views = new Map<string, View>();
  const retention: Retention[] = [];
  for (const statement of statementsIn(folder)) {
    const [, name = '', columns = '', body = ''] = VIEW.exec(statement) ?? [];
    if (name !== '') {
      views.set(name, {
        name,
        comment: unquoted(COMMENT.exec(statement)?.[1] ?? ''),
        columns: columnsOf(name, columns),
        parameters: parametersOf(body),
      });
    }
    const table = TABLE.exec(statement)?.[1];
    if (table === undefined) continue;
    const [, column = '', days = '0'] = TTL.exec(statement) ?? [];
    retention.push({ table, column, days: Number(days) });
  }
  return { views: [...views.values()], retention };
}

function statementsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.sql')).sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/;[ \t]*$/m))
    .map((part) => part.replaceAll(/^\s*--.*\n/gm, '').trim());
}

function columnsOf(view: string, text: string): readonly ViewColumn[] {
  return text.split(/,\n(?= {4}\w)/).map((part) => {
    const [, name = '', type = '', comment = ''] = COLUMN.exec(part) ?? [];
    if (name === '') throw new Error(`${view}: no comment in ${part.trim()}`);
    return { name, type: type.replaceAll(/\s+/g, ' '), comment: unquoted(comment) };
  });
}

function parametersOf(body: string): readonly string[] {
  return [...new Set([...body.matchAll(PARAMETER)].map(([whole]) => (
    whole.slice(1, -1).replace(':', ' ')
  )))];
}

function unquoted(text: string): string {
  return text.replaceAll("''", "'");
}
