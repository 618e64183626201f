import type { TidyRule } from './rule.ts';
import { isBinary, type TidyFile } from './tree.ts';

const linesMax = 300;
const columnsMax = 100;

const code = /\.(ts|mjs|cjs|sh|sql|ya?ml)$/;

// ESLint measures the lines of .ts and .mjs: it can tell a sentence in quotes from code.
const unlinted = /\.(cjs|sh|sql|ya?ml)$/;
const prose = /\.md$/;
const generated = /^((schemas|infra\/.+|docs\/analysts\/.+)\/generated\/|docs\/reference\/(data-dictionary|command-line|error-table)\.md$)/;

// The contract came to us as it is: its two pages are longer than ours may be.
const contract = /^docs\/(interface|contract-rows)\.md$/;

// Licences and recorded tracks are other people's words: kept byte by byte.
const foreign = /(^|\/)LICENSE[^/]*$|^services\/provider\/tracks\/.*\.(json|txt)$/;

/** Rules about the text of a file: its size, its bytes, its title. */
export const textRules: readonly TidyRule[] = [
  { name: 'short-files', offences: (files) => files.filter(isOurs).flatMap(tooLong) },
  { name: 'narrow-lines', offences: (files) => files.filter(isUnlinted).flatMap(tooWide) },
  { name: 'utf8-with-newline', offences: (files) => files.filter(isText).flatMap(badBytes) },
  { name: 'one-title', offences: (files) => files.filter(isReadme).flatMap(titles) },
];

function isOurCode(file: TidyFile): boolean {
  return code.test(file.path) && !generated.test(file.path);
}

function isUnlinted(file: TidyFile): boolean {
  return unlinted.test(file.path) && !generated.test(file.path);
}

function isOurs(file: TidyFile): boolean {
  const isOthers = [contract, foreign, generated].some((kind) => kind.test(file.path));
  const ourProse = prose.test(file.path) && !isOthers;
  return isOurCode(file) || ourProse;
}

function isReadme(file: TidyFile): boolean {
  return /(^|\/)README\.md$/.test(file.path);
}

function tooLong(file: TidyFile): string[] {
  const lines = file.text.split('\n').length - 1;
  return lines > linesMax ? [`${file.path} has ${lines} lines, at most ${linesMax}`] : [];
}

function tooWide(file: TidyFile): string[] {
  return file.text.split('\n').flatMap((line, index) => {
    const fits = line.length <= columnsMax || line.includes('://');
    return fits ? [] : [`${file.path}:${index + 1} is wider than ${columnsMax} columns`];
  });
}

function isText(file: TidyFile): boolean {
  return !isBinary(file.path);
}

function badBytes(file: TidyFile): string[] {
  const offences: string[] = [];
  if (!Buffer.from(file.text, 'utf8').equals(file.bytes) || file.text.includes('\0')) {
    offences.push(`${file.path} is not UTF-8 text`);
  }
  if (foreign.test(file.path)) return offences;
  if (!file.text.endsWith('\n')) offences.push(`${file.path} does not end with a newline`);
  if (file.text.includes('\r')) offences.push(`${file.path} has carriage returns`);
  return offences;
}

function titles(file: TidyFile): string[] {
  const withoutCode = file.text.replace(/^```[\s\S]*?^```/gm, '');
  const count = withoutCode.match(/^# /gm)?.length ?? 0;
  return count === 1 ? [] : [`${file.path} has ${count} titles, not one`];
}
