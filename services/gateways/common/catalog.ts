import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { Authentication, Operation } from '../../kernel/http.ts';
import { SCOPE_ANY } from '../../domain/access/authorize.ts';

/** The id of an operation in the catalog. */
export type OperationId = keyof typeof OPERATIONS;

/** What the catalog says about an operation; the rest is how it is answered. */
export type CatalogPart = Pick<
  Operation,
  'id' | 'method' | 'path' | 'authentication' | 'audience' | 'scope' | 'bodyKind' | 'bodySchema'
  | 'bodyBytesMax' | 'needsCountry'
>;

interface CatalogRow {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly params: readonly string[];
  readonly authentication: Authentication;
  readonly audience: string | null;
  readonly scope: string | null;
  readonly request: {
    readonly schema: string; readonly content_type: string; readonly bytes_max: number;
  } | null;
}

/**
 * Address, rights and limits of an operation as the catalog has them, so that what is served and
 * what is documented cannot differ.
 */
export function fromCatalog(id: OperationId): CatalogPart {
  const row: CatalogRow = OPERATIONS[id];
  const { method, path, authentication, audience, request } = row;
  const kind = request?.content_type === 'application/json' ? 'json' : 'form';
  return {
    id, method, path, authentication,
    ...(audience === null ? {} : { audience, scope: row.scope ?? SCOPE_ANY }),
    bodyKind: request === null ? 'none' : kind,
    ...(request === null ? {} : { bodySchema: request.schema }),
    bodyBytesMax: request?.bytes_max ?? 0,
    needsCountry: row.params.includes('country_id'),
  };
}
