import type { FieldError, Refusal } from '../../kernel/http.ts';
import type { SchemaCheck } from '../../kernel/schemas.ts';
import type { BundledSchema } from './bundled-schema.ts';

const LIST = 'list';

/** A body that is one thing or a list of such things, taken apart into two schemas. */
export interface OneOrMany {
  readonly one: BundledSchema;
  /** The list as the only member of an object, because bodies are validated as objects. */
  readonly many: BundledSchema;
}

/** The parts of `oneOf: [thing, list]`; undefined for any other schema. */
export function oneOrMany({ oneOf }: BundledSchema): OneOrMany | undefined {
  const branches: readonly unknown[] = Array.isArray(oneOf) ? oneOf : [];
  const [one, list] = branches as readonly (BundledSchema | undefined)[];
  if (branches.length !== 2 || one === undefined || list?.['type'] !== 'array') return undefined;
  return {
    one,
    many: { type: 'object', required: [LIST], properties: { [LIST]: list } },
  };
}

/**
 * Validates a body by the branch that it chose itself by being a list or not, so that its errors
 * are reported without those of the other branch. Places in a list begin with the index.
 */
export function checkOneOrMany(one: SchemaCheck, many: SchemaCheck): SchemaCheck {
  return function check(value) {
    if (!Array.isArray(value)) return one(value);
    const explain = many({ [LIST]: value });
    return explain === undefined ? undefined : () => relocated(explain());
  };
}

function relocated({ errors, detail, ...refusal }: Refusal): Refusal {
  return {
    ...refusal,
    detail: placed(detail.replace(`/${LIST} `, 'The list ')),
    ...(errors === undefined ? {} : { errors: errors.map(atIndex) }),
  };
}

function atIndex(fault: FieldError): FieldError {
  return {
    ...fault, pointer: fault.pointer.slice(LIST.length + 1), message: placed(fault.message),
  };
}

/** Hints name places of the body too. */
function placed(text: string): string {
  return text.replaceAll(`/${LIST}/`, '/');
}
