import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const dir = join(process.cwd(), 'infra', 'clickhouse');
const statements = readdirSync(dir)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .flatMap((name) => readFileSync(join(dir, name), 'utf8').replaceAll(/--.*$/gm, '').split(';'))
  .map((statement) => statement.trim());

/** Views that the writer's inserts set off, with the table whose inserts do so. */
const views = statements.flatMap((statement) => {
  const [, name = '', , query = ''] = /^CREATE MATERIALIZED VIEW (?:IF NOT EXISTS )?(\w+)([\s\S]*?)\bAS\b([\s\S]*)$/
    .exec(statement) ?? [];
  const source = /\bFROM\s+(\w+)/.exec(query)?.[1];
  return source === undefined ? [] : [{ name, source, statement }];
});

describe('materialized views', () => {
  it('are found in the migrations', () => {
    expect(views.length).toBeGreaterThan(10);
  });

  it.each(views)('$name does not ask the writer for a right on $source that it lacks', ({ source, statement }) => {
    const isDefiner = /SQL SECURITY DEFINER/.test(statement);
    // The writer may read the landing tables alone (infra/local/clickhouse-config.ts).
    expect(source.startsWith('in_') || isDefiner).toBe(true);
  });
});
