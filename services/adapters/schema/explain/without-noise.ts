import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * What people can act on: `if` only says that the branch beside it failed, at a useless path, and a
 * choice between types is one fault.
 */
export function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const precise = errors.filter(({ keyword }) => keyword !== 'if');
  const choices = precise.filter(({ keyword }) => keyword === 'anyOf');
  const joined = choices.reduce(withOneChoice, precise);
  return joined.length === 0 ? errors : joined;
}

/** The branches of a choice as one fault: all their types, or what the first of them found. */
function withOneChoice(
  errors: readonly ErrorObject[], choice: ErrorObject,
): readonly ErrorObject[] {
  const ofBranch = ({ schemaPath, instancePath }: ErrorObject): boolean => (
    schemaPath.startsWith(`${choice.schemaPath}/`) && instancePath.startsWith(choice.instancePath)
  );
  const branches = errors.filter(ofBranch);
  const [first] = branches;
  if (first === undefined) return errors;
  const areTypes = branches.every(({ keyword }) => keyword === 'type');
  const types = new Set(branches.flatMap(({ params }) => typesIn(params)));
  const joined = areTypes ? { ...first, params: { type: [...types] } } : first;
  return errors.filter((error) => error !== choice && !ofBranch(error)).concat(joined);
}

function typesIn(params: ErrorObject['params']): readonly string[] {
  const { type } = params as { readonly type?: string | readonly string[] };
  return typeof type === 'string' ? type.split(',') : type ?? [];
}
