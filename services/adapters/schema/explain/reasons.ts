import type { ErrorObject } from 'ajv/dist/2020.js';
import type { BundledSchema } from '../bundled-schema.ts';
import { isHolder, valueAt } from './refused-body.ts';

/** Says why a rule holds that does not always hold; empty for a rule that always does. */
export type ReasonOf = (error: ErrorObject) => string;

/** A value that is a word of the interface, as codes and countries are. */
const WORD = /^[\w-]{1,32}$/;

/**
 * Makes it from all errors of a value: beside the errors of a branch the library reports its `if`,
 * which is what the branch holds because of.
 */
export function reasonsIn(errors: readonly ErrorObject[]): ReasonOf {
  const conditions = errors.filter(({ keyword }) => keyword === 'if');
  return (error) => {
    const condition = conditions.findLast(({ schemaPath }) => (
      branchOf(schemaPath, error.schemaPath) !== undefined
    ));
    if (condition === undefined) return '';
    const branch = branchOf(condition.schemaPath, error.schemaPath);
    const test = (condition.parentSchema as { readonly if: BundledSchema }).if;
    const said = branch === undefined ? undefined : reasonFor(test, condition, branch);
    return said === undefined ? '' : `, because ${said}`;
  };
}

function branchOf(condition: string, error: string): 'then' | 'else' | undefined {
  const base = condition.slice(0, -'if'.length);
  if (error.startsWith(`${base}then/`)) return 'then';
  return error.startsWith(`${base}else/`) ? 'else' : undefined;
}

function reasonFor(
  test: BundledSchema, { data, instancePath }: ErrorObject, branch: 'then' | 'else',
): string | undefined {
  const path = decisivePath(test);
  if (path.length > 0) {
    const value = valueAt(data, path);
    const isWord = typeof value === 'string' && WORD.test(value);
    return isWord ? `${path.join('.')} is ${value}` : undefined;
  }
  const { required } = test;
  const [name] = Array.isArray(required) ? required.map(String) : [];
  if (branch === 'then' || name === undefined) return undefined;
  return `${instancePath === '' ? 'the body' : instancePath} has no ${name}`;
}

/** Where the member is whose value decides. */
function decisivePath({ properties }: BundledSchema): readonly string[] {
  if (!isHolder(properties)) return [];
  for (const [name, member] of Object.entries(properties)) {
    if (!isHolder(member)) continue;
    if ('enum' in member || 'const' in member || 'pattern' in member) return [name];
    const below = decisivePath(member);
    if (below.length > 0) return [name, ...below];
  }
  return [];
}
