import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const BASE = join(import.meta.dirname, '../../../infra/kubernetes/base/kustomization.yaml');

/** The settings that every Pod of the base gets, before an overlay changes them. */
export function baseSettings(): Readonly<Record<string, string>> {
  const { configMapGenerator: [{ literals }] } = parse(readFileSync(BASE, 'utf8')) as {
    readonly configMapGenerator: readonly [{ readonly literals: readonly string[] }];
  };
  return Object.fromEntries(literals.map((line) => line.split(/=(.*)/s).slice(0, 2))) as
    Record<string, string>;
}
