import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The files that a program needs, by their paths in the repository. */
export interface Closure {
  /** JavaScript of each module, by the path of its TypeScript. */
  readonly modules: ReadonlyMap<string, string>;
  /** JSON files that modules import. */
  readonly data: ReadonlySet<string>;
  /** Names of npm packages that modules import. */
  readonly packages: ReadonlySet<string>;
}

/**
 * Follows the imports of a module and compiles each file alone. What only types need is not
 * among them.
 */
export function closureOf(root: string, entry: string): Closure {
  const modules = new Map<string, string>();
  const data = new Set<string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (modules.has(path)) continue;
    const source = readFileSync(join(root, path), 'utf8');
    modules.set(path, compiled(path, source));
    for (const name of importsOf(compiled(path, source, false))) {
      if (name.startsWith('node:')) continue;
      if (!name.startsWith('.')) packages.add(packageOf(name));
      else if (name.endsWith('.json')) data.add(join(dirname(path), name));
      else open.push(join(dirname(path), name));
    }
  }
  return { modules, data, packages };
}

/** The path of the JavaScript of a module. */
export function javaScriptOf(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

function compiled(path: string, source: string, rewriteRelativeImportExtensions = true): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions,
    },
  });
  if (diagnostics.length > 0) throw new Error(`${path} does not compile.`);
  return outputText;
}

function importsOf(source: string): readonly string[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
}

function packageOf(name: string): string {
  return name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/');
}
