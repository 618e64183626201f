import { isWrittenNumber } from '../../../services/kernel/exact-json.ts';

/**
 * The place of the first text, number, word or empty value of `wanted` that is in none of the
 * trees at the same place, as a JSON pointer with that value.
 */
export function missingLeaf(wanted: unknown, trees: readonly unknown[]): string | undefined {
  return walk(wanted, trees, '');
}

function walk(wanted: unknown, trees: readonly unknown[], at: string): string | undefined {
  if (!isTree(wanted)) {
    const text = JSON.stringify(wanted);
    return trees.some((tree) => JSON.stringify(tree) === text) ? undefined : `${at}: ${text}`;
  }
  for (const name of Object.keys(wanted)) {
    const deeper = trees.filter((tree) => hasOwn(tree, name)).map((tree) => memberOf(tree, name));
    const missing = walk(memberOf(wanted, name), deeper, `${at}/${name}`);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isWrittenNumber(value)
    && Object.keys(value).length > 0;
}

function hasOwn(tree: unknown, name: string): boolean {
  return typeof tree === 'object' && tree !== null && Object.hasOwn(tree, name);
}

function memberOf(tree: unknown, name: string): unknown {
  return Object.getOwnPropertyDescriptor(tree, name)?.value;
}
