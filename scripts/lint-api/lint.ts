import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import core from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { asyncapiFile } from '../generate/asyncapi.ts';
import { readSource } from '../generate/source.ts';
import { EXCUSES, type Excuse } from './excuses.ts';

/** What a linter has against one place of a document. */
export interface Complaint {
  readonly rule: string;
  /** Names and indexes from the top of the document, each after a slash. */
  readonly pointer: string;
  readonly message: string;
}

/** How much was looked at, and what was found and not excused, a line each. */
export interface LintReport {
  readonly seen: number;
  readonly excused: number;
  readonly complaints: readonly string[];
}

/** The packages type their own rulesets more narrowly than what takes them. */
const ruleset = (...extended: readonly unknown[]): RulesetDefinition =>
  ({ extends: extended as RulesetDefinition[] });

/** The documents as text. AsyncAPI is not committed: it is made when it is asked for. */
export interface ApiDocuments {
  readonly openapi: string;
  readonly asyncapi: string;
}

/** The documents of the tree at `root`. */
export function apiDocuments(root: string): ApiDocuments {
  return {
    openapi: readFileSync(join(root, 'schemas/generated/openapi.json'), 'utf8'),
    asyncapi: asyncapiFile(readSource(join(root, 'schemas'))),
  };
}

const RULES: Readonly<Record<keyof ApiDocuments, RulesetDefinition>> = {
  openapi: ruleset(rulesets.oas, owasp), asyncapi: ruleset(rulesets.asyncapi),
};

/**
 * Spectral over both documents: its rules for OpenAPI and AsyncAPI, and OWASP's API Security
 * Top 10. Warnings count as errors do.
 */
export async function lintApi(documents: ApiDocuments): Promise<LintReport> {
  const found: Complaint[] = [];
  let seen = 0;
  for (const kind of ['openapi', 'asyncapi'] as const) {
    const text = documents[kind];
    seen += operationsIn(JSON.parse(text) as Operations);
    found.push(...await complaintsOf(`${kind}.json`, text, RULES[kind]));
  }
  const rest = found.filter((one) => !EXCUSES.some((excuse) => excuses(excuse, one)));
  return {
    seen,
    excused: found.length - rest.length,
    complaints: [
      ...rest.map(({ rule, pointer, message }) => `${rule} ${pointer}: ${message}`),
      ...idle(EXCUSES, found),
    ],
  };
}

/** A sentence for each excuse that nothing needs. */
export function idle(all: readonly Excuse[], found: readonly Complaint[]): string[] {
  return all.filter((excuse) => !found.some((one) => excuses(excuse, one)))
    .map(({ rule, under = '/' }) => `nothing needs the excuse from ${rule} under ${under}`);
}

function excuses({ rule, under = '' }: Excuse, one: Complaint): boolean {
  return rule === one.rule && one.pointer.startsWith(under);
}

async function complaintsOf(
  path: string, text: string, rules: RulesetDefinition,
): Promise<Complaint[]> {
  const spectral = new core.Spectral();
  spectral.setRuleset(rules);
  const results = await spectral.run(new core.Document(text, parsers.Json, path));
  return results.map(({ code, path: pointer, message }) => ({
    rule: String(code), message,
    pointer: pointer.map((name) => `/${name}`).join(''),
  }));
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

interface Operations {
  readonly paths?: object;
  readonly operations?: object;
}

function operationsIn(document: Operations): number {
  const methods = Object.values(document.paths ?? {})
    .flatMap((item: object) => Object.keys(item).filter((name) => METHODS.includes(name)));
  return methods.length + Object.keys(document.operations ?? {}).length;
}
