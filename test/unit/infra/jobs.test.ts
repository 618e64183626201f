import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { expect, it } from 'vitest';
import { STATEMENT_MS_MAX } from '../../../infra/clickhouse/migrate-database.ts';

const KUBERNETES = join(process.cwd(), 'infra/kubernetes');
/** A release may have several statements that fill a table from months of rows. */
const LONG_STATEMENTS = 12;

interface Job {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly activeDeadlineSeconds: number };
}

it.each([
  ['base/jobs.yaml', 'rastro-migrations'],
  ['components/clickhouse-replica/generated/migrations.yaml', 'rastro-migrations-b'],
])('lets the migrations of %s take as long as their statements may', (path, name) => {
  const job = parseAllDocuments(readFileSync(join(KUBERNETES, path), 'utf8'))
    .map((document) => document.toJS() as Job).find(({ metadata }) => metadata.name === name);
  expect((job?.spec.activeDeadlineSeconds ?? 0) * 1_000)
    .toBeGreaterThanOrEqual(LONG_STATEMENTS * STATEMENT_MS_MAX);
});
