import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Code } from '../../../kernel/codes.ts';
import type { FieldError } from '../../../kernel/http.ts';
import { nearName } from '../../../kernel/near-name.ts';
import { namesOf, stepOf, type RefusedBody } from './refused-body.ts';
import { knownNames } from './known-names.ts';
import { missingMember } from './missing-member.ts';
import type { ReasonOf } from './reasons.ts';
import {
  boundMessage, choiceMessage, countMessage, formatMessage, typeMessage,
} from './value-messages.ts';

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

/** Translates one error of the library into our own words, with what `body` hints at. */
export function fieldError(error: ErrorObject, reasonOf: ReasonOf, body: RefusedBody): FieldError {
  const message = messageOf(error, reasonOf, body);
  return {
    pointer: pointerOf(error, body.at),
    code: CODE_OF_KEYWORD[error.keyword] ?? 'not_allowed',
    message: message.endsWith('?') ? message : `${message}.`,
  };
}

/** Where an error is, in the whole body; `at` is put before its place. */
export function pointerOf({ params, instancePath }: ErrorObject, at: string): string {
  const child = params as { missingProperty?: string; additionalProperty?: string };
  const name = child.missingProperty ?? child.additionalProperty;
  return at + instancePath + (name === undefined ? '' : stepOf(name));
}

function messageOf(error: ErrorObject, reasonOf: ReasonOf, body: RefusedBody): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  const limit = Number(params['limit']);
  const value: unknown = error.data;
  switch (error.keyword) {
    case 'required': return missingMember(error, reasonOf(error), body);
    case 'type': return typeMessage(error, body);
    case 'enum': return choiceMessage(value, params['allowedValues'] as readonly unknown[]);
    case 'const': return choiceMessage(value, [params['allowedValue']]);
    case 'pattern': return patternMessage(String(params['pattern']), body);
    case 'format': return formatMessage(String(params['format']), value);
    case 'minimum': return boundMessage('less', limit, error, body);
    case 'maximum': return boundMessage('greater', limit, error, body);
    case 'minLength': return countMessage('least', limit, 'character', value);
    case 'maxLength': return countMessage('most', limit, 'character', value);
    case 'minItems': return countMessage('least', limit, 'item', value);
    case 'maxItems': return countMessage('most', limit, 'item', value);
    case 'additionalProperties': return strayMember(error, body);
    default: return 'is not allowed as it is';
  }
}

/** A pattern is never shown: what it means is beside it in the schema. */
function patternMessage(pattern: string, { phraseOf }: RefusedBody): string {
  return `must ${phraseOf(pattern) ?? 'have the form that the interface gives'}`;
}

function strayMember(error: ErrorObject, { schema }: RefusedBody): string {
  const { additionalProperty } = error.params as { readonly additionalProperty: string };
  const meant = nearName(additionalProperty, knownNames(schema, namesOf(error.instancePath)));
  return `is not a field of this object${meant === undefined ? '' : `: did you mean ${meant}?`}`;
}
