import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../faults/mutants/all-mutants.ts';
import { patched, type Patch } from '../../faults/cluster/copy-product.ts';

const ROOT_DIR = join(import.meta.dirname, '..', '..', '..');
/** Names that are not there; a mutant may well break other rules of the types. */
const UNKNOWN_NAME: readonly number[] = [2304, 2305, 2307, 2339, 2353, 2551, 2552, 2724];

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(ROOT_DIR, 'tsconfig.json'), ts.sys.readFile).config, ts.sys, ROOT_DIR,
);
const pathOf = ({ file }: Pick<Patch, 'file'>): string => join(ROOT_DIR, file);
const overlay = new Map<string, string>();
let version = 0;

const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [...new Set(
    MUTANTS.flatMap(({ patches }) => patches.map(pathOf)).filter((path) => path.endsWith('.ts')),
  )],
  getScriptVersion: (path) => (overlay.has(path) ? String(version) : '0'),
  getScriptSnapshot(path) {
    const text = overlay.get(path) ?? ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT_DIR,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** What a product with these changes says of names that it does not know. */
function unknownNames(patches: readonly Patch[]): readonly string[] {
  overlay.clear();
  version += 1;
  for (const patch of patches.filter(({ file }) => file.endsWith('.ts'))) {
    const path = pathOf(patch);
    overlay.set(path, patched(overlay.get(path) ?? readFileSync(path, 'utf8'), patch));
  }
  return [...overlay.keys()].flatMap((path) => (
    [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
      .filter(({ code }) => code < 2000 || UNKNOWN_NAME.includes(code))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  ));
}

describe('the code that a mutant brings', () => {
  it.each(MUTANTS)('$name is written with names that are there', ({ patches }) => {
    expect(unknownNames(patches)).toEqual([]);
  }, 60_000);

  it('is found out when it names what is gone', () => {
    const patch: Patch = {
      file: 'services/adapters/kafka/append/record-log.ts',
      find: 'partitionOf(record.key, spec.partitions)', replace: 'laneOf(record.key, spec.lanes)',
    };
    expect(unknownNames([patch]).join(' ')).toContain("Cannot find name 'laneOf'");
  }, 60_000);
});
