import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A test's title that pins rows of the contract, and where it stands. */
export interface PinnedTitle {
  readonly ids: readonly string[];
  readonly title: string;
  readonly writtenAt: string;
}

const idsAtStart = /^(?:\s*\[[A-Z]+-\d+(?:[,;]?\s*[A-Z]+-\d+)*\])+/;
const testCalls = new Set(['it', 'test', 'describe']);

/** Every title under test/ that begins with row ids, read from the source without running it. */
export function readTitles(root: string): PinnedTitle[] {
  const paths = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => /\.(test|suite)\.ts$/.test(path))
    .sort()
    .map((path) => `test/${path}`)
    .flatMap((path) => titlesOf(path, readFileSync(join(root, path), 'utf8')));
}

/**
 * The pinning titles of one test file: every text that begins with ids inside the arguments of
 * it, test, describe or their `.each`, but not inside a test's body.
 */
export function titlesOf(path: string, source: string): PinnedTitle[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const titles: PinnedTitle[] = [];
  const collect = (node: ts.Node): void => {
    const text = textOf(node);
    const ids = text === undefined ? null : idsAtStart.exec(text);
    if (text !== undefined && ids !== null) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      titles.push({ ids: ids[0].match(/[A-Z]+-\d+/g) ?? [], title: text, writtenAt: `${path}:${line}` });
    }
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && testCalls.has(rootName(node.expression))) {
      collect(node.expression);
      node.arguments.forEach(collect);
      node.arguments.filter(ts.isFunctionLike).forEach((body) => ts.forEachChild(body, visit));
      return;
    }
    if (ts.isArrayLiteralExpression(node)) collect(node);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateHead(node) ? `${node.text}…` : undefined;
}

/** `it`, `it.each([…])`, `test.concurrent` … all begin with the name of a test function. */
function rootName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return rootName(expression.expression);
  if (ts.isCallExpression(expression)) return rootName(expression.expression);
  return ts.isTaggedTemplateExpression(expression) ? rootName(expression.tag) : '';
}
