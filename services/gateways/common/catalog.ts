import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { RequestBodies } from '../../../schemas/generated/types.ts';
import type { Authentication, Call, Operation } from '../../kernel/http.ts';
import { SCOPE_ANY } from '../../domain/access/authorize.ts';

type Rows = typeof OPERATIONS;

/** The id of an operation in the catalog. */
export type OperationId = keyof Rows;

type AuthOf<Id extends OperationId> = Rows[Id]['authentication'];

type PathParam<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never;

type ParamOf<Id extends OperationId> =
  PathParam<Rows[Id]['path']> | Extract<Rows[Id]['params'][number], 'country_id'>;

/** The body of an operation, as the schema that the catalog names for it says. */
export type BodyOf<Id extends OperationId> =
  Rows[Id]['request'] extends { readonly schema: infer Title extends keyof RequestBodies }
    ? RequestBodies[Title]
    : undefined;

/** A call of an operation, with all that its row of the catalog guarantees. */
export type CallOf<Id extends OperationId, Body = BodyOf<Id>> = Call<AuthOf<Id>, Body, ParamOf<Id>>;

type OperationOf<Id extends OperationId, Body> = Operation<AuthOf<Id>, Body, ParamOf<Id>>;

/** How an operation is answered: all that its row of the catalog does not say. */
type Handling<Id extends OperationId, Body> = Pick<
  OperationOf<Id, Body>,
  'errors' | 'handle' | 'summary' | 'admissionOf' | 'explain' | 'keepsNumbers'
  | 'cutsLongTexts'
>;

/** What the catalog says about an operation. */
export type CatalogPart = Pick<
  Operation,
  'id' | 'method' | 'path' | 'authentication' | 'audience' | 'scope' | 'platformScope' | 'bodyKind'
  | 'bodySchema' | 'bodyBytesMax' | 'needsCountry'
>;

interface CatalogRow {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly params: readonly string[];
  readonly authentication: Authentication;
  readonly audience: string | null;
  readonly scope: string | null;
  readonly platform_scope?: string;
  readonly request: {
    readonly schema: string; readonly content_type: string; readonly bytes_max: number;
    readonly also_form?: boolean;
  } | null;
}

/**
 * An operation of the catalog with how it is answered. Its call has a caller exactly where the
 * catalog asks for a token, the parameters of its path, and the body of its schema.
 */
export function defineOperation<Id extends OperationId>(
  id: Id, handling: Handling<Id, BodyOf<Id>>,
): OperationOf<Id, BodyOf<Id>>;
/** The same for an operation that is handed a summary of its body. */
export function defineOperation<Id extends OperationId, Summary>(
  id: Id, handling: Handling<Id, Summary>,
): OperationOf<Id, Summary>;
export function defineOperation<Id extends OperationId, Body>(
  id: Id, handling: Handling<Id, Body>,
): OperationOf<Id, Body> {
  // The same row gives the type and the value; only the compiler cannot follow it from id to row.
  return { ...fromCatalog(id), ...handling } as unknown as OperationOf<Id, Body>;
}

/**
 * Address, rights and limits of an operation as the catalog has them, so that what is served and
 * what is documented cannot differ.
 */
export function fromCatalog(id: OperationId): CatalogPart {
  const row: CatalogRow = OPERATIONS[id];
  const { method, path, authentication, audience, request } = row;
  const kind = request?.also_form === true ? 'json-or-form' : kindOf(request?.content_type);
  return {
    id, method, path, authentication,
    ...(audience === null ? {} : { audience, scope: row.scope ?? SCOPE_ANY }),
    ...(row.platform_scope === undefined ? {} : { platformScope: row.platform_scope }),
    bodyKind: request === null ? 'none' : kind,
    ...(request === null ? {} : { bodySchema: request.schema }),
    bodyBytesMax: request?.bytes_max ?? 0,
    needsCountry: row.params.includes('country_id'),
  };
}

function kindOf(contentType: string | undefined): 'json' | 'form' {
  return contentType === 'application/json' ? 'json' : 'form';
}
