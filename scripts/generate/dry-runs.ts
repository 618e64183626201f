import type { Catalog, CatalogOperation, CatalogResponse } from './catalog-shape.ts';

const SUFFIX = 'dry_run';

const TAKEN: CatalogResponse = {
  description: 'The call would be taken, and nothing was stored.',
  schema: 'DryRunResponse',
  content_type: 'application/json',
  headers: ['Dry-Run', 'X-Request-Id'],
  codes: [],
};

/** The catalog with the dry run of every operation that appends, behind it (ADR 0093). */
export function withDryRuns(catalog: Catalog): Catalog {
  return {
    ...catalog,
    operations: catalog.operations.flatMap((operation) => (
      operation.appends === null ? [operation] : [operation, dryRunOf(operation)]
    )),
  };
}

function dryRunOf(operation: CatalogOperation): CatalogOperation {
  const { id, summary, path, responses } = operation;
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const [, taken] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? [];
  const quota = (taken?.headers ?? []).filter((name) => name.startsWith('RateLimit'));
  return {
    ...operation,
    id: `dry-run-${id}`,
    endpoint: null,
    summary: `Dry run: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    guide: 'Takes the call as the operation without dry_run takes it, counts it against the same limits, and stores '
      + 'nothing. A refusal is the one that the call would get; else the answer has warnings.',
    path: `${path}/${SUFFIX}`,
    responses: {
      200: { ...TAKEN, headers: ['Dry-Run', ...quota, 'X-Request-Id'] },
      ...Object.fromEntries(refusals),
    },
    appends: null,
    dry_run_of: id,
  };
}
