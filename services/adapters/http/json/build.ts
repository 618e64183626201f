import type { LongText } from '../../../kernel/long-text.ts';
import { standInOf } from '../../../kernel/long-texts.ts';
import { keyIn, type Path } from './path.ts';
import type { Cursor } from './cursor.ts';
import { parseRun, type Twofold } from './parse-run.ts';

/** How a value is built while its bytes are scanned. */
export interface BuildForm {
  /** A run of neighbours becomes a value when it has so many bytes. */
  readonly stepBytes: number;
  /** A text of more bytes gets a stand-in. */
  readonly longTextBytesMin: number;
  /** True where numbers are also kept as they were written. */
  readonly keepsWritten: boolean;
}

/** Children of a list or object, each as one place in these; a list has no names. */
interface Children {
  readonly names: string[];
  readonly values: unknown[];
  /** The same as `values` where numbers are not kept as they were written. */
  readonly written: unknown[];
}

/** A list or object that is open. */
interface Level {
  openedAt: number;
  /** Where its children begin that are no value yet; -1 when there are none. */
  runFrom: number;
  /** Where the child begins that is being read. */
  childFrom: number;
  /** Children that are values already; undefined as long as it may become one in one piece. */
  children: Children | undefined;
}

/** A value that is being built. */
export interface JsonBuild extends BuildForm {
  readonly levels: Level[];
  readonly texts: Map<string, LongText>;
  /** Members of all objects that parsing kept. */
  members: number;
  /** The whole value, if it was not built in one piece. */
  root: Twofold | undefined;
}

/** A run that waits when something opens behind it: many levels may be open at once. */
const WAITING_SHARE = 16;
const NO_RUN = -1;

/** A value of which nothing is built yet. */
export function createBuild(form: BuildForm): JsonBuild {
  return { ...form, levels: [], texts: new Map(), members: 0, root: undefined };
}

/** A list or object with something in it was opened; the cursor is at its first child. */
export function openLevel(build: JsonBuild, cursor: Cursor, path: Path, openedAt: number): void {
  const parent = build.levels[path.depth - 2];
  const waiting = parent === undefined || parent.runFrom === NO_RUN
    ? 0 : parent.childFrom - parent.runFrom;
  if (waiting * WAITING_SHARE >= build.stepBytes) {
    takeRunsBefore(build, cursor, path, path.depth - 2);
  }
  build.levels[path.depth - 1] = {
    openedAt, runFrom: cursor.at, childFrom: cursor.at, children: undefined,
  };
}

/** A child ended; the cursor is at the comma behind it. */
export function nextChild(build: JsonBuild, cursor: Cursor, path: Path): void {
  const top = path.depth - 1;
  const level = levelOf(build, top);
  const { at } = cursor;
  if (level.runFrom === NO_RUN) level.runFrom = at + 1;
  else if (at - level.runFrom >= build.stepBytes) {
    takeRunsBefore(build, cursor, path, top - 1);
    takeRun(build, cursor, path, top, at);
    level.runFrom = at + 1;
  }
  level.childFrom = at + 1;
}

/** A list or object ended; the cursor is at its closing mark. A small one stays in its run. */
export function closeLevel(build: JsonBuild, cursor: Cursor, path: Path): void {
  const top = path.depth - 1;
  const level = levelOf(build, top);
  if (level.children === undefined && cursor.at - level.openedAt < build.stepBytes) return;
  takeRunsBefore(build, cursor, path, top - 1);
  if (level.runFrom !== NO_RUN) takeRun(build, cursor, path, top, cursor.at);
  const children = level.children ?? noChildren(build);
  addValue(build, cursor, path, top - 1, path.isObject[top] === 1
    ? objectOf(build, children) : { value: children.values, written: children.written });
}

/** A long text ended; the cursor is behind it. */
export function addText(build: JsonBuild, cursor: Cursor, path: Path): void {
  const { bytes, textFrom, at, hasEscapes } = cursor;
  const standIn = standInOf(build.texts.size);
  build.texts.set(standIn, { written: bytes.subarray(textFrom + 1, at - 1), hasEscapes });
  takeRunsBefore(build, cursor, path, path.depth - 1);
  addValue(build, cursor, path, path.depth - 1, { value: standIn, written: standIn });
}

/** The whole value, when the scan is at its end. */
export function builtValue(build: JsonBuild, cursor: Cursor): Twofold {
  return build.root ?? parseRun(build, cursor, ['', 0, cursor.bytes.length, '']);
}

function levelOf({ levels }: JsonBuild, index: number): Level {
  const level = levels[index];
  if (level === undefined) throw new Error('The scan is in no such level.');
  return level;
}

/** Builds the runs before the children that are being read, down to the level `last`. */
function takeRunsBefore(build: JsonBuild, cursor: Cursor, path: Path, last: number): void {
  for (let index = 0; index <= last; index += 1) {
    const level = levelOf(build, index);
    level.children ??= noChildren(build);
    if (level.runFrom === NO_RUN || level.runFrom === level.childFrom) continue;
    takeRun(build, cursor, path, index, level.childFrom - 1);
    level.runFrom = level.childFrom;
  }
}

function takeRun(
  build: JsonBuild, cursor: Cursor, path: Path, index: number, to: number,
): void {
  const level = levelOf(build, index);
  const { names, values, written } = level.children ??= noChildren(build);
  const isObject = path.isObject[index] === 1;
  const marks = isObject ? ['{', '}'] as const : ['[', ']'] as const;
  const run = parseRun(build, cursor, [marks[0], level.runFrom, to, marks[1]]);
  if (isObject) for (const name of Object.keys(run.value as object)) names.push(name);
  addAll(values, run.value as object);
  if (written !== values) addAll(written, run.written as object);
}

/** Members of an object and of its other reading have the same order. */
function addAll(list: unknown[], more: object): void {
  for (const value of Array.isArray(more) ? more : Object.values(more)) list.push(value);
}

function noChildren({ keepsWritten }: JsonBuild): Children {
  const values: unknown[] = [];
  return { names: [], values, written: keepsWritten ? [] : values };
}

function addValue(
  build: JsonBuild, cursor: Cursor, path: Path, index: number, child: Twofold,
): void {
  if (index < 0) {
    build.root = child;
    return;
  }
  const isMember = path.isObject[index] === 1;
  const level = levelOf(build, index);
  const { names, values, written } = level.children ??= noChildren(build);
  values.push(child.value);
  if (written !== values) written.push(child.written);
  if (isMember) {
    names.push(keyIn(path, cursor.bytes, index));
    build.members += 1;
  }
  level.runFrom = NO_RUN;
}

/** Members that are null go last of all: until then they have to be known as names. */
function objectOf(build: JsonBuild, { names, values, written }: Children): Twofold {
  build.members -= names.length - new Set(names).size;
  const withValuesOf = (of: readonly unknown[]): unknown => Object.fromEntries(
    names.map((name, at) => [name, of[at]] as const).filter((_, at) => values[at] !== null),
  );
  const value = withValuesOf(values);
  return { value, written: written === values ? value : withValuesOf(written) };
}
