import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearName } from '../../../kernel/near-name.ts';
import type { BundledSchema } from '../bundled-schema.ts';
import { isHolder, kindOf, namesOf, valueAt, type RefusedBody } from './refused-body.ts';
import { listed, objectWith, valuesText } from './shape.ts';

// The end of the year 9999: milliseconds of any time since 1978 are above it.
const EPOCH_SECONDS_MAX = 253_402_300_799;
const MICROSECONDS_MIN = 1e14;
const SECONDS = 'seconds since 1970, such as 1764000000';
const DATE_TIME = 'an ISO 8601 date-time with an offset, such as 2025-01-31T10:00:00Z';

/** A longer text is no number that a person wrote. */
const NUMBER_CHARACTERS_MAX = 64;
const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;
const COMMA_NUMBER = /^\s*[+-]?\d+,\d+\s*$/;
const UNIT_NUMBER = /^\s*[+-]?\d+([.,]\d+)?\s*[a-z%°][a-z/%°]{0,5}\s*$/i;
const TYPE_NAMES: Readonly<Record<string, string>> = { boolean: 'a boolean (true or false)' };
/** A value of a list that is shown again: one word, never a number or a sentence. */
const WORD = /^[A-Za-z][A-Za-z_-]{0,31}$/;

/** What a value of another type has to be, and what it is. */
export function typeMessage(error: ErrorObject, { at }: RefusedBody): string {
  const { type } = error.params as { readonly type: string | readonly string[] };
  const types = Array.isArray(type) ? type as readonly string[] : String(type).split(',');
  const schema = error.parentSchema as BundledSchema;
  const isTop = at === '' && error.instancePath === '';
  const object = types.includes('object') && !isTop ? objectWith(schema) : '';
  const wanted = object === ''
    ? listed(types.map((name) => TYPE_NAMES[name] ?? withArticle(name)), 'or') : object;
  return `must be ${wanted}, not ${gotKind(error.data, types)}${typeHint(error.data, types, schema)}`;
}

function withArticle(name: string): string {
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function gotKind(value: unknown, types: readonly string[]): string {
  const isFraction = typeof value === 'number' && types.includes('integer');
  return isFraction ? 'a number with a fraction' : kindOf(value);
}

function typeHint(value: unknown, types: readonly string[], schema: BundledSchema): string {
  const wantsNumber = types.includes('number') || types.includes('integer');
  if (typeof value === 'string') {
    if (types.includes('object') && value.startsWith('{')) return ': it looks like JSON that was encoded twice';
    if (!wantsNumber || value.length > NUMBER_CHARACTERS_MAX) return '';
    if (NUMBER.test(value)) return ': leave out the quotes';
    if (COMMA_NUMBER.test(value)) return ': write it with a decimal point and without quotes';
    if (UNIT_NUMBER.test(value)) return ': leave out the unit and the quotes';
    return schema['maximum'] === EPOCH_SECONDS_MAX ? `: ${SECONDS}` : '';
  }
  if (!types.includes('string')) return '';
  if (schema['format'] === 'date-time') return `: ${DATE_TIME}`;
  return typeof value === 'number' && !types.includes('integer') ? ': put it in quotes' : '';
}

/** The values that are allowed, the one that was sent, and the one that was meant. */
export function choiceMessage(value: unknown, allowed: readonly unknown[]): string {
  const wanted = allowed.length === 1
    ? `must be ${JSON.stringify(allowed[0])}` : `must be one of ${valuesText(allowed)}`;
  if (typeof value !== 'string') return `${wanted}, not ${kindOf(value)}`;
  const meant = nearName(value, allowed.map(String));
  const isShown = meant !== undefined || WORD.test(value);
  const shown = isShown ? `, and is ${JSON.stringify(value)}` : '';
  return `${wanted}${shown}${meant === undefined ? '' : `: did you mean ${JSON.stringify(meant)}?`}`;
}

/** What a text of a format has to be, and what it lacks. */
export function formatMessage(format: string, value: unknown): string {
  if (format !== 'date-time') return `must be of the format ${format}`;
  return `must be ${DATE_TIME}${dateTimeHint(String(value))}`;
}

function dateTimeHint(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return '; the time is missing';
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?/i.test(text)) return '';
  if (text[10] === ' ') return '; the date and the time are divided by T';
  return /([Zz]|[+-]\d\d(:?\d\d)?)$/.test(text.slice(16))
    ? '; there is no such day or time' : '; the offset is missing';
}

/** The bound that a number is beyond. The number itself is shown unless it is a path on Earth. */
export function boundMessage(
  bound: 'less' | 'greater', limit: number, error: ErrorObject, body: RefusedBody,
): string {
  const value = Number(error.data);
  if (limit === EPOCH_SECONDS_MAX) {
    const unit = value >= MICROSECONDS_MIN ? 'microseconds' : 'milliseconds';
    return `looks like ${unit}; send seconds since 1970`;
  }
  const wanted = `must not be ${bound} than ${limit}`;
  const path = namesOf(body.at + error.instancePath);
  const name = path.at(-1) ?? '';
  if (name !== 'latitude' && name !== 'longitude') return `${wanted}, and is ${value}`;
  return `${wanted}${coordinateHint(name, value, valueAt(body.whole, path.slice(0, -1)))}`;
}

const LATITUDE_MAX = 90;
const LONGITUDE_MAX = 180;

function coordinateHint(name: string, value: number, path: unknown): string {
  if (Math.abs(value) > LONGITUDE_MAX) return '; send degrees';
  const longitude = isHolder(path) ? path['longitude'] : undefined;
  const mayBeSwapped = name === 'latitude' && typeof longitude === 'number'
    && Math.abs(longitude) <= LATITUDE_MAX;
  return mayBeSwapped ? ': are latitude and longitude swapped?' : '';
}

/** A longer text may be the stand-in of one that is longer still (kernel/long-texts). */
const CHARACTERS_COUNTED_MAX = 4_000;

/** How many characters or items there have to be, and how many there are. */
export function countMessage(
  bound: 'least' | 'most', limit: number, unit: 'character' | 'item', value: unknown,
): string {
  const count = Array.isArray(value) ? value.length : Array.from(String(value)).length;
  if (unit === 'character' && count === 0 && limit === 1) return 'must not be empty';
  const isLong = unit === 'character' && count > CHARACTERS_COUNTED_MAX;
  const shown = isLong ? `more than ${CHARACTERS_COUNTED_MAX}` : String(count);
  return `must have at ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}, and has ${shown}`;
}
