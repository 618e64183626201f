import type { BundledSchema } from '../bundled-schema.ts';
import { isHolder } from './refused-body.ts';

const NAMES_SHOWN_MAX = 12;
const VALUES_SHOWN_MAX = 20;

/**
 * What a member of an object has to be, as far as its name does not say it: the members that it
 * must have, or the values that it may have. Empty where there is nothing to say.
 */
export function shapeOf({ properties }: BundledSchema, name: string): string {
  const member = isHolder(properties) ? properties[name] : undefined;
  if (!isHolder(member)) return '';
  const { enum: values, const: value } = member;
  if (Array.isArray(values)) return `one of ${valuesText(values)}`;
  return value === undefined ? objectWith(member) : JSON.stringify(value);
}

/** "an object with id and name"; empty for what is none, or has no mandatory members. */
export function objectWith({ required }: BundledSchema): string {
  const names = Array.isArray(required) ? required.map(String) : [];
  if (names.length === 0) return '';
  return `an object with ${listed(names.slice(0, NAMES_SHOWN_MAX), 'and')}`;
}

/** The values that a member may have, as they are written in JSON. */
export function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_SHOWN_MAX).map((value) => JSON.stringify(value));
  return shown.join(', ') + (values.length > VALUES_SHOWN_MAX ? ', …' : '');
}

/** "a, b and c". */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
