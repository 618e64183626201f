import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inlined, PERSONAL_WORD, PHRASE_WORD } from '../../../schemas/inline.ts';
import { exampleOf } from '../../../scripts/generate/examples.ts';
import { generatedFiles } from '../../../scripts/generate/files.ts';
import { isJsonObject } from '../../../schemas/files.ts';
import { readSource } from '../../../scripts/generate/source.ts';
import { SCHEMAS, strictAjv } from './validators.ts';
import type { JsonObject } from '../../../schemas/files.ts';

const source = readSource(SCHEMAS.pathname);
const titled = source.files.filter(({ title }) => title !== undefined);
const ajv = strictAjv();
const bodies = titled.filter(({ room }) => room !== 'shapes');

function everyProperty(node: unknown, path: string): [path: string, property: JsonObject][] {
  if (Array.isArray(node)) return node.flatMap((item) => everyProperty(item, path));
  if (!isJsonObject(node)) return [];
  const properties = isJsonObject(node['properties']) ? Object.entries(node['properties']) : [];
  const own = properties
    .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    .map(([name, property]): [string, JsonObject] => [`${path}/${name}`, property]);
  const { properties: _own, not: _not, allOf: _conditions, ...rest } = node;
  return [
    ...own,
    ...own.flatMap(([name, property]) => everyProperty(property, name)),
    ...Object.values(rest).flatMap((child) => everyProperty(child, path)),
  ];
}

function examplesIn(node: unknown): [schema: JsonObject, example: unknown][] {
  if (Array.isArray(node)) return node.flatMap(examplesIn);
  if (!isJsonObject(node)) return [];
  const { examples, ...rest } = node;
  const deeper = Object.values(rest).flatMap(examplesIn);
  if (!Array.isArray(examples)) return deeper;
  return [...examples.map((example): [JsonObject, unknown] => [node, example]), ...deeper];
}

describe('the schema files', () => {
  it('follow the meta-schema of draft 2020-12', () => {
    const meta = 'https://json-schema.org/draft/2020-12/schema';
    expect(source.files.length).toBeGreaterThan(50);
    for (const { path, schema } of source.files) {
      expect(ajv.validate(meta, schema), path).toBe(true);
      expect(JSON.parse(readFileSync(path, 'utf8')), path).toHaveProperty('$schema', meta);
    }
  });

  it.each(bodies.map((file) => [String(file.title), file] as const))(
    'name %s after its file and describe every property',
    (title, file) => {
      const kebab = title.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
      expect(file.path.endsWith(`/${kebab}.json`)).toBe(true);
      const properties = everyProperty(inlined(source, file, []), '');
      expect(properties.length).toBeGreaterThan(0);
      for (const [path, { description }] of properties) {
        expect(description, `${title}${path}`).toMatch(/\.$/);
      }
    },
  );

  it('have no two types of one name', () => {
    const titles = titled.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('are each used', () => {
    const references = source.files.map(({ schema }) => JSON.stringify(schema)).join('\n');
    const catalog = JSON.stringify(source.catalog);
    for (const name of readdirSync(new URL('shapes/', SCHEMAS))) {
      const text = readFileSync(new URL(`shapes/${name}`, SCHEMAS), 'utf8');
      const { title } = JSON.parse(text) as JsonObject;
      const found = references.includes(`${name}"`) || catalog.includes(`shapes/${name}`)
        || catalog.includes(`"schema":"${String(title)}"`);
      expect(found, name).toBe(true);
    }
  });

  it.each(titled.map((file) => [String(file.title), file] as const))(
    'give %s examples that follow it',
    (_title, file) => {
      const schema = inlined(source, file, [PERSONAL_WORD, PHRASE_WORD]);
      const validate = ajv.compile(schema);
      const value = exampleOf(schema);
      if (value !== undefined) expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
      else expect(schema).toHaveProperty('enum');
      for (const [rule, example] of examplesIn(schema)) {
        expect(ajv.validate(rule, example), JSON.stringify([rule, example])).toBe(true);
      }
    },
  );
});

describe('the generated files', () => {
  it('are what the schemas say now, the same each time', async () => {
    const files = await generatedFiles(source);
    expect(await generatedFiles(readSource(SCHEMAS.pathname))).toEqual(files);
    expect(Object.keys(files).sort()).toEqual(readdirSync(new URL('generated/', SCHEMAS)).sort());
    for (const [name, content] of Object.entries(files)) {
      const stored = readFileSync(new URL(`generated/${name}`, SCHEMAS), 'utf8');
      expect(stored === content, `${name} drifts: run scripts/generate.ts`).toBe(true);
    }
  });
});
