import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';
import { BASE } from './addresses.ts';
import type { PageAssets } from './layout.ts';

/** A file that pages load; its address changes with its content. */
export interface Asset {
  readonly address: string;
  readonly text: string;
}

const FOLDER = join(import.meta.dirname, 'browser');
const MINISEARCH = fileURLToPath(import.meta.resolve('minisearch'));
const MINISEARCH_LICENCE = join(MINISEARCH, '..', '..', '..', 'LICENSE.txt');

/** The style sheet, the icon, and the search with its library and its index. */
export function makeAssets(
  index: string,
): { readonly files: readonly Asset[]; readonly assets: PageAssets } {
  const library = asset('minisearch.js', [
    `/*! MiniSearch\n${readFileSync(MINISEARCH_LICENCE, 'utf8')}*/`,
    readFileSync(MINISEARCH, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
  ].join('\n'));
  const options = asset('search-options.js', compiled('search-options.ts'));
  const search = asset('search.js', compiled('search.ts')
    .replace(`'minisearch'`, `'${library.address}'`)
    .replace(`'./search-options.ts'`, `'${options.address}'`));
  const style = asset('site.css', readFileSync(join(FOLDER, 'site.css'), 'utf8'));
  const icon = asset('icon.svg', readFileSync(join(FOLDER, 'icon.svg'), 'utf8'));
  const indexed = asset('search.json', index);
  return {
    files: [library, options, search, style, icon, indexed],
    assets: {
      style: style.address, search: search.address, index: indexed.address, icon: icon.address,
    },
  };
}

function asset(name: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { address: `${BASE}/assets/${name.replace('.', `.${digest}.`)}`, text };
}

/** A file for browsers without its types. */
function compiled(name: string): string {
  return typescript.transpileModule(readFileSync(join(FOLDER, name), 'utf8'), {
    compilerOptions: {
      target: typescript.ScriptTarget.ES2022, module: typescript.ModuleKind.ESNext,
      verbatimModuleSyntax: true, removeComments: true,
    },
  }).outputText;
}
