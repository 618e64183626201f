import { isJsonObject, type JsonObject, type SchemaFile, type SchemaFiles } from './files.ts';

/** Says of a member of a record whether it is personal (README.md). Bundles leave it out. */
export const PERSONAL_WORD = 'x-personal';

/**
 * Says in words what a text of a pattern must be or have, as a phrase behind "must" (README.md).
 * Bundles leave it out.
 */
export const PHRASE_WORD = 'x-phrase';

/**
 * The schema of a file as one piece without any `$ref`: what Ajv and the schema registry take.
 * The registry refuses changes inside `$defs`, so nothing is shared. `without` names keywords
 * that are left out everywhere.
 */
export function inlined(
  source: SchemaFiles, file: SchemaFile, without: readonly string[],
): JsonObject {
  return walk(file.schema, file.path, (target, siblings) => ({
    ...inlined(source, target, without),
    ...siblings,
  }), source, without) as JsonObject;
}

/**
 * The schema of a file with every titled shape replaced by a reference below `prefix`, so that
 * each becomes one named type; rules without title are inlined. `keepSiblings` keeps a property's
 * own description beside its reference.
 */
export function referring(
  source: SchemaFiles,
  file: SchemaFile,
  options: {
    readonly prefix: string;
    readonly keepSiblings: boolean;
    /** The name of a file's type, or undefined where it is inlined; its title unless given. */
    readonly nameOf?: (file: SchemaFile) => string | undefined;
  },
): JsonObject {
  return walk(file.schema, file.path, (target, siblings) => {
    const name = (options.nameOf ?? titleOf)(target);
    if (name === undefined) return { ...referring(source, target, options), ...siblings };
    const reference = { $ref: `${options.prefix}${name}` };
    return options.keepSiblings ? { ...siblings, ...reference } : reference;
  }, source, [PERSONAL_WORD, PHRASE_WORD]) as JsonObject;
}

function titleOf({ title }: SchemaFile): string | undefined {
  return title;
}

/** Keywords whose members are names of fields, never keywords, whatever they are called. */
const NAMES = ['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired'];

type Replace = (target: SchemaFile, siblings: JsonObject) => JsonObject;

function walk(
  node: unknown,
  path: string,
  replace: Replace,
  source: SchemaFiles,
  without: readonly string[],
): unknown {
  const visit = (child: unknown): unknown => walk(child, path, replace, source, without);
  if (Array.isArray(node)) return node.map(visit);
  if (!isJsonObject(node)) return node;
  const { $ref: reference, ...rest } = node;
  const siblings: JsonObject = {};
  for (const [key, value] of Object.entries(rest)) {
    if (without.includes(key)) continue;
    siblings[key] = NAMES.includes(key) && isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, rule]) => [name, visit(rule)]))
      : visit(value);
  }
  if (typeof reference !== 'string') return siblings;
  return replace(source.fileAt(reference, path), siblings);
}
