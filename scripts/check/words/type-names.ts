import ts from 'typescript';
import type { TidyFile } from '../tidy/tree.ts';
import type { Offence } from './banned.ts';

const RULE = 'type name declared twice';
const generated = /(^|\/)generated\//;

/** Exported types, interfaces and classes whose name another file declares too. */
export function typeNamesDeclaredTwice(files: readonly TidyFile[]): readonly Offence[] {
  const declared = files.filter(({ path }) => path.endsWith('.ts')).flatMap(exportedTypes);
  return [...Map.groupBy(declared, ({ says }) => says).values()].flatMap((same) => {
    const ours = same.filter(({ path }) => !generated.test(path));
    if (same.length < 2) return [];
    const paths = same.map(({ path }) => path).join(', ');
    return ours.slice(same.length === ours.length ? 1 : 0)
      .map((one) => ({ ...one, instead: `one name, one meaning; it is in ${paths}` }));
  });
}

function exportedTypes({ path, text }: TidyFile): readonly Offence[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  return source.statements.flatMap((node) => {
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
      || ts.isClassDeclaration(node);
    if (!isType || node.name === undefined) return [];
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported !== true) return [];
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    return [{ rule: RULE, path, line, says: node.name.text, instead: '' }];
  });
}
