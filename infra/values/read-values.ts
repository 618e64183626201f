import { parse } from 'yaml';
import { TOGETHER, VALUES } from './operator-values.ts';
import {
  isTree, pathsOf, valueAt, type OperatorValue, type SizeProfile, type ValueTree,
} from './value.ts';

/** A values file in which everything is said. */
export interface OperatorValues {
  readonly profile: SizeProfile;
  /** The text at a path. */
  readonly text: (path: string) => string;
  /** The list at a path. */
  readonly list: (path: string) => readonly string[];
}

/** Reads a values file; throws one error that names all that is missing, wrong or unknown. */
export function readValues(yaml: string): OperatorValues {
  const parsed: unknown = parse(yaml) ?? {};
  if (!isTree(parsed)) throw new Error('The values file is no list of names with values.');
  const wrongs = wrongsOf(parsed);
  if (wrongs.length > 0) throw new Error(`The values file is not complete:\n${wrongs.join('\n')}`);
  return {
    profile: parsed['profile'] as SizeProfile,
    text: (path) => String(valueAt(parsed, path)),
    list: (path) => valueAt(parsed, path) as readonly string[],
  };
}

/** What a values file lacks or has too much of, a line for each value. */
export function wrongsOf(tree: ValueTree): readonly string[] {
  const known = new Set(VALUES.map(({ path }) => path));
  const alone = VALUES.filter((value) => isAsked(value, tree))
    .flatMap((value) => wrongOf(value, tree));
  const at = (path: string): unknown => valueAt(tree, path);
  return [
    ...alone,
    ...(alone.length > 0 ? [] : TOGETHER.filter(({ wrong }) => wrong(at)).map(({ says }) => says)),
    ...pathsOf(tree).filter((path) => !isKnown(path, known))
      .map((path) => `${path} is no value that is read`),
  ];
}

/** A file with each value and what to write there. */
export function valuesTemplate(said: (value: OperatorValue) => unknown = () => null): string {
  let room = '';
  return VALUES.map((value) => {
    const [name = '', within] = value.path.split('.');
    const key = within === undefined ? name : `  ${within}`;
    const head = within !== undefined && name !== room ? `${name}:\n` : '';
    room = name;
    const indent = within === undefined ? '' : '  ';
    const own = said(value);
    return `${head}${indent}# ${capital(value.says)}.\n${key}:${own === null ? '' : ` ${JSON.stringify(own).replaceAll('","', '", "')}`}\n`;
  }).join('');
}

/** A group that has no value yet (`image:`) is missing, not unknown. */
function isKnown(path: string, known: ReadonlySet<string>): boolean {
  return known.has(path) || [...known].some((each) => each.startsWith(`${path}.`));
}

function isAsked({ notFor = [] }: OperatorValue, tree: ValueTree): boolean {
  return !notFor.some((profile) => profile === tree['profile']);
}

function wrongOf({ path, says, fits }: OperatorValue, tree: ValueTree): readonly string[] {
  const value = valueAt(tree, path);
  if (value === undefined || value === null || value === '') return [`${path} is missing: ${says}`];
  return fits(value) ? [] : [`${path} is ${JSON.stringify(value)}, and must be: ${says}`];
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
