import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { AnySchemaObject } from 'ajv';
import { bundleOf } from '../../../schemas/bundles.ts';

/** A JSON object in a test. */
export type Json = Record<string, unknown>;

/** The root of `schemas/`. */
export const SCHEMAS = new URL('../../../schemas/', import.meta.url);

/** A JSON file below `schemas/`. */
export function readSchemas(path: string): Json {
  return JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8')) as Json;
}

/** A strict Ajv that reports every fault, as the gateways use it. */
export function strictAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv;
}

/**
 * The faults of a value against the bundle of `title`, as `pointer keyword`, in order; empty when
 * it is accepted. A missing field is named as if it were present.
 */
export function validatorOf(title: string): (value: unknown) => string[] {
  const validate = strictAjv().compile(bundleOf(title) as AnySchemaObject);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, keyword, params }) => {
      const missing = keyword === 'required' ? `/${String(params['missingProperty'])}` : '';
      return `${instancePath}${missing} ${keyword}`;
    });
  };
}

/** A deep copy of `sample` with the value at `path` replaced, or removed when `undefined`. */
export function changed(sample: Json, path: string, value: unknown): Json {
  const copy = structuredClone(sample);
  const names = path.split('/').slice(1);
  const last = names.pop() ?? '';
  const parent = names.reduce<Json>((node, name) => node[name] as Json, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** `count` pairs of name and value. */
export function pairs(count: number): Json[] {
  return Array.from({ length: count }, (_, index) => ({ name: `n${index}`, value: 'v' }));
}
