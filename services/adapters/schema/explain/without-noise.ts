import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * What people can act on: `if` only says that the branch beside it failed, at a useless path, and a
 * choice between types is one fault.
 */
export function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept: ErrorObject[] = [];
  const joined: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    const branches = error.keyword === 'anyOf' ? takeBranches(kept, error) : [];
    const fault = joinedOf(branches);
    if (fault === undefined) kept.push(error);
    else joined.push(fault);
  }
  const faults = [...kept, ...joined];
  return faults.length === 0 ? errors : faults;
}

/** Takes off the end what the branches of a choice found: the library reports it right before. */
function takeBranches(faults: ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const isOfBranch = ({ schemaPath, instancePath }: ErrorObject): boolean => (
    schemaPath.startsWith(`${choice.schemaPath}/`) && instancePath.startsWith(choice.instancePath)
  );
  const last = faults.findLastIndex((fault) => !isOfBranch(fault));
  return faults.splice(last + 1);
}

/** The branches of a choice as one fault: all their types, or what the first of them found. */
function joinedOf(branches: readonly ErrorObject[]): ErrorObject | undefined {
  const [first] = branches;
  if (first === undefined) return undefined;
  const areTypes = branches.every(({ keyword }) => keyword === 'type');
  const types = new Set(branches.flatMap(({ params }) => typesIn(params)));
  return areTypes ? { ...first, params: { type: [...types] } } : first;
}

function typesIn(params: ErrorObject['params']): readonly string[] {
  const { type } = params as { readonly type?: string | readonly string[] };
  return typeof type === 'string' ? type.split(',') : type ?? [];
}
