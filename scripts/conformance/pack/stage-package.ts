import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closureOf, javaScriptOf, type Closure } from './closure.ts';

const ENTRY = 'services/conformance/main.ts';
const README = 'scripts/conformance/pack/readme-of-the-package.md';
/** The contract, so that the rows which a check names can be read beside it. */
const CONTRACT = ['docs/interface.md', 'docs/contract-rows.md'];
/** Read at run time: `services/adapters/schema` takes schemas by their folder. */
const SCHEMAS = ['schemas/http', 'schemas/records', 'schemas/shapes'];
/** Of a dependency: what no Node reads. Its licence stays. */
const NOT_RUN = /\.(map|ts|mts|cts|flow)$/;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
}

/**
 * Writes the files of the package into an empty folder. Paths are those of the repository, so that
 * a stack trace names the source.
 */
export function stagePackage(root: string, folder: string): void {
  const closure = closureOf(root, ENTRY);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const copy = (path: string, to = path): void => {
    cpSync(join(root, path), join(folder, to), { recursive: true, dereference: true });
  };
  for (const [path, text] of closure.modules) put(javaScriptOf(path), text);
  for (const path of closure.data) if (path !== 'package.json') copy(path);
  for (const path of [...SCHEMAS, ...CONTRACT, 'LICENSE']) copy(path);
  copy(README, 'README.md');
  put('package.json', `${JSON.stringify(manifestOf(root, closure), null, 2)}\n`);
  for (const name of bundled(root, [...closure.packages])) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true, dereference: true, filter: (path) => !NOT_RUN.test(path),
    });
  }
}

function manifestOf(root: string, { packages }: Closure): object {
  const product = manifestAt(root);
  const names = [...packages].sort();
  const unnamed = names.filter((name) => product.dependencies?.[name] === undefined);
  if (unnamed.length > 0) throw new Error(`No dependency of the product: ${unnamed.join(', ')}.`);
  return {
    name: 'rastro-conformance',
    version: product.version,
    description: 'Examines a receiver, a provider or a carrier of the tracking interface from the other side.',
    license: product.license,
    type: 'module',
    engines: { node: '>=22.12' },
    bin: { 'rastro-conformance': javaScriptOf(ENTRY) },
    dependencies: Object.fromEntries(names.map((name) => [name, product.dependencies?.[name]])),
    bundleDependencies: bundled(root, names),
  };
}

/** These packages and all that they need. They come with ours, so that no registry is asked. */
function bundled(root: string, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const folder = join(root, 'node_modules', name);
    if (existsSync(join(folder, 'node_modules'))) throw new Error(`${name} has versions of its own.`);
    found.add(name);
    open.push(...Object.keys(manifestAt(folder).dependencies ?? {}));
  }
  return [...found].sort();
}

function manifestAt(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
