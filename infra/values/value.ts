/** A profile of sizes: how many Pods of what, and how large. */
export const PROFILES = ['small', 'standard', 'large'] as const;

/** One of these. */
export type SizeProfile = (typeof PROFILES)[number];

/** What the values file says, as it was read. */
export type ValueTree = { readonly [name: string]: unknown };

/** One value that only an operator can say. */
export interface OperatorValue {
  /** Where it is in the values file, `image.digest`. */
  readonly path: string;
  /** What to write there. */
  readonly says: string;
  /** One that would be taken; the gates render with these. */
  readonly example: string | boolean | readonly string[];
  /** Whether a value that is there can be right. */
  readonly fits: (value: unknown) => boolean;
  /** Profiles that have no use for it. */
  readonly notFor?: readonly SizeProfile[];
}

/** The value at a path, undefined where nothing is. */
export function valueAt(tree: ValueTree, path: string): unknown {
  return path.split('.').reduce<unknown>(
    (at, name) => (isTree(at) ? at[name] : undefined), tree,
  );
}

/** Paths of all values of a file. */
export function pathsOf(tree: ValueTree, before = ''): readonly string[] {
  return Object.entries(tree).flatMap(([name, value]) => (
    isTree(value) ? pathsOf(value, `${before}${name}.`) : [`${before}${name}`]
  ));
}

/** Whether something has named values. */
export function isTree(value: unknown): value is ValueTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text of a pattern. */
export function text(pattern: RegExp): OperatorValue['fits'] {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** A list of texts of a pattern, of one at least. */
export function list(pattern: RegExp): OperatorValue['fits'] {
  return (value) => Array.isArray(value) && value.length > 0 && value.every(text(pattern));
}
