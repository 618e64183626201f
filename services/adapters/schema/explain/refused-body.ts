import type { BundledSchema } from '../bundled-schema.ts';
import { pointerStep } from '../../../kernel/json-duplicates.ts';

/** The body that a fault is in, for hints about more than the faulty value itself. */
export interface RefusedBody {
  readonly whole: unknown;
  /** Schema of the part that was validated, and the place of that part in the body. */
  readonly schema: BundledSchema;
  readonly at: string;
  /** What a text of this pattern must be or have, as a phrase behind "must". */
  readonly phraseOf: (pattern: string) => string | undefined;
}

/** The names of a JSON pointer (RFC 6901). */
export function namesOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map((name) => (
    name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** A name as a step of a JSON pointer; the beginning of a long one. */
export function stepOf(name: string): string {
  return `/${pointerStep(name.slice(0, NAME_CHARACTERS_MAX))}`;
}

const NAME_CHARACTERS_MAX = 255;

/** The value at a place of a body; undefined where nothing is. */
export function valueAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (
    isHolder(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  ), value);
}

/** True for an object or a list. */
export function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What a value is, as people call it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
