import { fileURLToPath } from 'node:url';
import { readSchemaFiles, type SchemaFile, type SchemaFiles } from './files.ts';
import { inlined, PERSONAL_WORD, PHRASE_WORD } from './inline.ts';

/** A schema in one piece, without `$ref`, `$defs` and `$schema`: draft 2020-12. */
export type Bundle = Readonly<Record<string, unknown>>;

/**
 * Words that never change what a schema accepts; left out, so that a better example or comment
 * does not make a new version in the registry.
 */
const NOT_BINDING = [
  '$schema', '$comment', 'examples', 'description', PERSONAL_WORD, PHRASE_WORD,
];

const bundles = new Map<string, Bundle>();
let contract: SchemaFiles | undefined;

/**
 * The schema of a body or record of the contract, by its title; throws when there is none. The
 * files are read once per process, when the first schema is asked for.
 */
export function bundleOf(title: string): Bundle {
  const known = bundles.get(title);
  if (known !== undefined) return known;
  const source = contractFiles();
  const file = source.files.find((each) => each.title === title && each.room !== 'shapes');
  if (file === undefined) throw new Error(`There is no schema with the title ${title}.`);
  const bundle = bundleFrom(source, file);
  bundles.set(title, bundle);
  return bundle;
}

/** The schema of a file in one piece, from files that the caller has read. */
export function bundleFrom(source: SchemaFiles, file: SchemaFile): Bundle {
  return inlined(source, file, NOT_BINDING);
}

/** The titles of all bodies and records. */
export function bundleTitles(): readonly string[] {
  return contractFiles().files
    .flatMap(({ room, title }) => (room === 'shapes' || title === undefined ? [] : [title]));
}

/** The files of the contract; read once per process. */
export function contractFiles(): SchemaFiles {
  contract ??= readSchemaFiles(fileURLToPath(new URL('.', import.meta.url)));
  return contract;
}
