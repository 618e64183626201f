import type { Catalog, CatalogOperation } from './catalog-shape.ts';

const HEADER = 'Sandbox';

/** The catalog with the header that answers to sandbox clients have (ADR 0108). */
export function withSandboxHeader(catalog: Catalog): Catalog {
  return { ...catalog, operations: catalog.operations.map(markedIn) };
}

/** Who calls is known where a client proves itself to us. */
function markedIn(operation: CatalogOperation): CatalogOperation {
  const { authentication, server, responses } = operation;
  if (authentication !== 'bearer' || server === 'provider_url') return operation;
  return {
    ...operation,
    responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => (
      [status, { ...response, headers: [...response.headers, HEADER] }]
    ))),
  };
}
