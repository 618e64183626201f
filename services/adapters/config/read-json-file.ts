import { readFileSync } from 'node:fs';

/** The JSON value of a file that a setting names, undefined without one; throws what is wrong. */
export function readJsonFile(path: string | undefined): unknown {
  if (path === undefined || path === '') return undefined;
  return JSON.parse(readFileSync(path, 'utf8')) as unknown;
}
