import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the scanner's source and, above it, of its binary. */
export const SOURCE_DIR = join(
  import.meta.dirname, '..', '..', 'services', 'adapters', 'scanner', 'source',
);

const ENTRY = 'scan';
const OUTPUT = 'scanner.wasm';

/** Memory in pages of 64 KiB: what `layout.as` lays out, and it never grows. */
const PAGES = '35';

/**
 * The name is not a literal, for the compiler's types must stay away: they make `at(-1)` of every
 * array in the project say that there always is an item.
 */
const COMPILER: string = 'assemblyscript/asc';

/** What we use of the compiler. */
interface Compiler {
  main(args: readonly string[], host: {
    readonly stderr: { write(chunk: unknown): void };
    readFile(name: string): string | null;
    writeFile(name: string, content: unknown): void;
    listFiles(): readonly string[];
  }): Promise<{ readonly error: Error | null }>;
}

const OPTIONS = [
  '--runtime', 'stub', '--noAssert', '--enable', 'simd',
  '--initialMemory', PAGES, '--maximumMemory', PAGES,
];

/** Where the text of a source file comes from, by its name without ending. */
export type ReadSource = (name: string) => string | undefined;

/** Reads the source from the repository. */
export const readSource: ReadSource = (name) => {
  try {
    return readFileSync(join(SOURCE_DIR, `${name}.as`), 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * Compiles the scanner with the compiler of the lockfile: the same source gives the same bytes.
 * `isFast` takes the time to optimize. Rejects with the compiler's words.
 */
export async function compileScanner(
  read: ReadSource = readSource, isFast = true,
): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const args = [`${ENTRY}.ts`, '--outFile', OUTPUT, isFast ? '-O3' : '-O0', ...OPTIONS];
  let words = '';
  const compiler = await import(COMPILER) as Compiler;
  const { error } = await compiler.main(args, {
    stderr: { write: (chunk) => { words += String(chunk); } },
    // The compiler thinks in its own ending; ours keeps the tools of TypeScript away.
    readFile: (name) => (name.endsWith('.ts') ? read(name.slice(0, -3)) ?? null : null),
    writeFile: (name, content) => {
      if (name === OUTPUT) binary = content as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) {
    throw new Error(`The scanner does not compile.\n${words}`);
  }
  return binary;
}
