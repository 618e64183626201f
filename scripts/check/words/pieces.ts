import ts from 'typescript';
import type { TidyFile } from '../tidy/tree.ts';

/** A stretch of a file that the gates read: a name, or sentences of a comment, text or page. */
export interface Piece {
  readonly path: string;
  readonly line: number;
  readonly kind: 'name' | 'prose';
  readonly text: string;
}

// Not ours to word, or made from what is: contract, licences, test data, generated files.
const contract = /^docs\/(interface|contract-rows)\.md$/;
const foreign = /^package-lock\.json$|(^|\/)generated\/|^services\/clients\/bruno\/.*\.bru$|LICENSE/;
const foreignData = /^(services\/provider\/tracks|test\/support\/(naughty|json-)[^/]*)\//;
const generatedPages = /^docs\/reference\/(data-dictionary|capacity|command-line|error-table|faults|faults-mutants|rehearse)\.md$/;

// The gates' own lists contain the words that they ban.
const speakers = /^(docs\/glossary\.md$|(scripts\/check|test\/unit)\/(words|tidy)\/)/;

const METRIC = /^rastro_[a-z_]+$/;
const SNAKE = /_/;

/** True for files whose words are ours to choose. */
export function isOurs(path: string): boolean {
  const others = [contract, foreign, foreignData, generatedPages, speakers];
  return !others.some((kind) => kind.test(path));
}

/** The pieces of one file; of a file of an unknown kind only its name. */
export function piecesOf({ path, text }: TidyFile): readonly Piece[] {
  const named: Piece = { path, line: 0, kind: 'name', text: path };
  if (/\.(ts|mjs|cjs)$/.test(path)) return [named, ...scriptPieces(path, text)];
  if (path.endsWith('.md')) return [named, ...pagePieces(path, text)];
  if (/\.(sql|lua|sh|ya?ml|as)$/.test(path)) return [named, ...commentPieces(path, text)];
  if (/^schemas\/.*\.json$/.test(path)) return [named, ...descriptionPieces(path, text)];
  return [named];
}

/** Identifiers, comments, names of metrics and texts of TypeScript; wire names are left out. */
function scriptPieces(path: string, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const seen = new Set<number>();
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1;
  const comments = (at: number): void => {
    const leading = ts.getLeadingCommentRanges(text, at) ?? [];
    for (const { pos, end } of [...leading, ...ts.getTrailingCommentRanges(text, at) ?? []]) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      pieces.push({ path, line: lineOf(pos), kind: 'prose', text: commentText(text, pos, end) });
    }
  };
  const visit = (node: ts.Node): void => {
    comments(node.getFullStart());
    comments(node.getEnd());
    if (ts.isIdentifier(node) && !SNAKE.test(node.text.slice(1))) {
      pieces.push({ path, line: lineOf(node.getStart(source)), kind: 'name', text: node.text });
    } else if (isText(node) && node.text !== '') {
      const kind = METRIC.test(node.text) ? 'name' : 'prose';
      const isSaid = kind === 'name' || / /.test(node.text.trim());
      const line = lineOf(node.getStart(source));
      if (isSaid) pieces.push({ path, line, kind, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return pieces;
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
    || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}

/** A comment without its marks, so that a sentence over several lines stays one. */
function commentText(text: string, from: number, to: number): string {
  return text.slice(from, to)
    .replace(/^\/\*\*?|\*\/$/g, '').replace(/^\s*(\*|\/\/) ?/gm, '').replace(/\{@link (\w+)\}/g, '')
    .trim();
}

/** The paragraphs of a page without code; a row of a table is a piece of its own. */
function pagePieces(path: string, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let kept: string[] = [];
  let from = 0;
  const close = (): void => {
    if (kept.length > 0) pieces.push({ path, line: from, kind: 'prose', text: kept.join('\n') });
    kept = [];
  };
  const plain = text.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ''));
  for (const [index, line] of plain.split('\n').entries()) {
    const begins = /^\s*([-*|#>]|\d+\.) ?/.test(line);
    if (begins || line.trim() === '') close();
    if (line.trim() === '' || /^[\s|:-]+$/.test(line)) continue;
    if (kept.length === 0) from = index + 1;
    kept.push(line.replace(/^\s*([-*#>]+|\d+\.) /, '').replace(/\]\([^)]*\)/g, ']'));
  }
  close();
  return pieces;
}

/** Comments of SQL, Lua, YAML and shells, adjacent lines as one piece. */
function commentPieces(path: string, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(/(?:^[ \t]*(?:--|#|\/\/).*\n?)+/gm)) {
    const line = text.slice(0, match.index).split('\n').length;
    const said = match[0].replace(/^\s*(--|#!?|\/\/) ?/gm, '').trim();
    if (said !== '') pieces.push({ path, line, kind: 'prose', text: said });
  }
  return pieces;
}

/** What schemas say about their fields. */
function descriptionPieces(path: string, text: string): readonly Piece[] {
  return text.split('\n').flatMap((line, index) => {
    const said = /"(?:description|meaning|summary)": "((?:\\.|[^"\\])*)"/.exec(line)?.[1];
    return said === undefined ? [] : [{ path, line: index + 1, kind: 'prose' as const, text: said }];
  });
}
