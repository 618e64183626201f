import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Code } from '../../kernel/codes.ts';
import type { FieldError } from '../../kernel/http.ts';

const CODE_OF_KEYWORD: Readonly<Record<string, Code>> = {
  required: 'required',
  type: 'type',
  enum: 'enum',
  const: 'const',
  pattern: 'pattern',
  format: 'format',
  minimum: 'minimum',
  exclusiveMinimum: 'minimum',
  maximum: 'maximum',
  exclusiveMaximum: 'maximum',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
};

// The end of the year 9999: milliseconds of any time since 1978 are above it.
const EPOCH_SECONDS_MAX = 253_402_300_799;
const ENUM_VALUES_SHOWN_MAX = 20;

/** Translates one error of the library into our own words. `at` is put before its place. */
export function fieldError(error: ErrorObject, at: string): FieldError {
  const pointer = at + pointerOf(error);
  const code = CODE_OF_KEYWORD[error.keyword] ?? 'not_allowed';
  return { pointer, code, message: `${messageOf(error)}.` };
}

function pointerOf(error: ErrorObject): string {
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  const child = params.missingProperty ?? params.additionalProperty;
  if (child === undefined) return error.instancePath;
  return `${error.instancePath}/${child.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 255)}`;
}

function messageOf(error: ErrorObject): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  const limit = String(params['limit']);
  switch (error.keyword) {
    case 'required': return 'is mandatory';
    case 'type': return `must be ${typesOf(params['type'])}`;
    case 'enum': return `must be one of ${enumText(params['allowedValues'])}`;
    case 'const': return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'pattern': return `must match ${String(params['pattern'])}`;
    case 'format': return formatText(String(params['format']));
    case 'minimum': return `must not be less than ${limit}`;
    case 'maximum': return maximumText(limit);
    case 'minLength': return `must have at least ${limit} characters`;
    case 'maxLength': return `must have at most ${limit} characters`;
    case 'minItems': return `must have at least ${limit} items`;
    case 'maxItems': return `must have at most ${limit} items`;
    case 'additionalProperties': return 'is not a field of this object';
    default: return 'is not allowed as it is';
  }
}

function typesOf(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',');
  return types.map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`)).join(' or ');
}

function enumText(values: unknown): string {
  if (!Array.isArray(values)) return 'the listed values';
  const shown = values.slice(0, ENUM_VALUES_SHOWN_MAX).map((value) => JSON.stringify(value));
  return shown.join(', ') + (values.length > ENUM_VALUES_SHOWN_MAX ? ', …' : '');
}

function formatText(format: string): string {
  return format === 'date-time'
    ? 'must be an ISO 8601 date-time with an offset, such as 2025-01-31T10:00:00Z'
    : `must be of the format ${format}`;
}

function maximumText(limit: string): string {
  return limit === String(EPOCH_SECONDS_MAX)
    ? 'looks like milliseconds; send seconds since 1970'
    : `must not be greater than ${limit}`;
}
