import type { Catalog, CatalogOperation, CatalogResponse } from './catalog-shape.ts';

/** A response that takes what it does not say itself from a profile. */
export interface ResponseRow extends Partial<CatalogResponse> {
  readonly profile?: string;
  /** Codes that come after those of the profile. */
  readonly more_codes?: readonly string[];
}

/** `catalog.json` as it is written: a response is a row, or the name of a profile. */
export type CatalogFile = Omit<Catalog, 'operations'> & {
  readonly response_profiles: Readonly<Record<string, ResponseRow>>;
  readonly operations: readonly (Omit<CatalogOperation, 'responses'> & {
    readonly responses: Readonly<Record<string, ResponseRow | string>>;
  })[];
};

const FIELDS = ['description', 'schema', 'content_type', 'headers', 'codes'] as const;

/**
 * The catalog with every response in full. Throws for a profile that is not there, that refers to
 * itself or that nothing uses, and for a response that lacks a field.
 */
export function withFullResponses(file: CatalogFile): Catalog {
  const { response_profiles: profiles, operations, ...rest } = file;
  const used = new Set<string>();

  function full(row: ResponseRow | string, within: readonly string[]): Partial<CatalogResponse> {
    if (typeof row === 'string') return full({ profile: row }, within);
    const { profile, more_codes, ...own } = row;
    if (profile === undefined) return own;
    const base = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
    if (base === undefined) throw new Error(`There is no response profile ${profile}.`);
    if (within.includes(profile)) throw new Error(`The profile ${profile} refers to itself.`);
    used.add(profile);
    const taken = full(base, [...within, profile]);
    const codes = own.codes ?? [...taken.codes ?? [], ...more_codes ?? []];
    return { ...taken, ...own, codes };
  }

  const filled = operations.map(({ responses, ...operation }) => ({
    ...operation,
    responses: Object.fromEntries(Object.entries(responses).map(([status, row]) => (
      [status, complete(full(row, []), `${operation.id} ${status}`)]
    ))),
  }));
  const idle = Object.keys(profiles).filter((name) => !used.has(name));
  if (idle.length > 0) throw new Error(`No response uses the profile ${idle.join(', ')}.`);
  return { ...rest, operations: filled };
}

function complete(response: Partial<CatalogResponse>, name: string): CatalogResponse {
  const lacking = FIELDS.filter((field) => response[field] === undefined);
  if (lacking.length > 0) throw new Error(`The response ${name} lacks ${lacking.join(', ')}.`);
  return response as CatalogResponse;
}
