import { BODY_NAMES_MAX, BODY_VALUES_MAX } from '../../../kernel/limits.ts';
import {
  addText, closeLevel, nextChild, openLevel, type JsonBuild,
} from './build.ts';
import {
  createCursor, END, fail, NO_TEXT, skipLiteral, skipSpace, type Cursor, type JsonFault,
} from './cursor.ts';
import { skipNumber } from './number.ts';
import { countName, createNameCount, type NameCount } from './names.ts';
import { createPath, pointerOf, type Path } from './path.ts';
import { skipName, skipString, skipText } from './string.ts';

/** A reading of bytes, up to where it has come. */
export interface JsonScan {
  readonly cursor: Cursor;
  readonly path: Path;
  readonly names: NameCount;
  /** Values that were begun. */
  values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Begins a reading of valid UTF-8. */
export function createScan(bytes: Buffer, depthMax: number): JsonScan {
  return {
    cursor: createCursor(bytes), path: createPath(depthMax), names: createNameCount(), values: 1,
  };
}

/** Why the reading ended. */
export function faultOf({ cursor: { bytes, code, detail, at }, path }: JsonScan): JsonFault {
  return { code, detail, at, pointer: pointerOf(path, bytes) };
}

/**
 * Reads on up to `until`, without recursion, and accepts exactly one JSON value (RFC 8259) whose
 * numbers can be kept (2^53-1, integers 2^63-1) and whose strings are well-formed Unicode. The
 * value is not nested deeper than it may be, and has no more values and names. It stops at the
 * first fault, so that a body beyond a limit costs no more than one at it. After "end"
 * `JSON.parse` cannot fail. `build` hears what is passed. Equal keys are left to the caller, who
 * compares `path.members` with what parsing kept.
 */
export function scanOn(
  scan: JsonScan, build: JsonBuild, until: number,
): 'pause' | 'end' | 'fault' {
  const { cursor, path } = scan;
  for (;;) {
    if (isInText(cursor)) {
      const ending = skipText(cursor, until);
      if (ending !== 'closed') return ending;
      addText(build, cursor, path);
      cursor.textFrom = NO_TEXT;
    } else {
      if (cursor.at >= until) return 'pause';
      if (!beginNext(scan, build)) return 'fault';
      if (cursor.opened) {
        scan.values += 1;
        continue;
      }
      if (isInText(cursor)) continue;
    }
    const climbed = climb(scan, build);
    if (climbed !== 'next value') return climbed;
    scan.values += 1;
  }
}

/** The cursor is in a long text, of which only a part was passed. */
function isInText({ textFrom }: Cursor): boolean {
  return textFrom !== NO_TEXT;
}

function beginNext(scan: JsonScan, build: JsonBuild): boolean {
  if (scan.values <= BODY_VALUES_MAX) return beginValue(scan, build);
  return fail(
    scan.cursor, 'payload_too_large', `The body has more than ${BODY_VALUES_MAX} values.`,
  );
}

/** Skips one scalar, or opens one list or object; `cursor.opened` says that a value must follow. */
function beginValue({ cursor, path, names }: JsonScan, build: JsonBuild): boolean {
  skipSpace(cursor);
  cursor.opened = false;
  const start = cursor.bytes[cursor.at] ?? END;
  if (start === QUOTE) return skipString(cursor, build.longTextBytesMin);
  if (start === MINUS || (start >= 0x30 && start <= 0x39)) return skipNumber(cursor);
  if (start !== OPEN_LIST && start !== OPEN_OBJECT) return skipLiteral(cursor);
  if (path.depth === path.depthMax) {
    return fail(cursor, 'too_deep', `The body is nested deeper than ${path.depthMax} levels.`);
  }
  const isObject = start === OPEN_OBJECT;
  path.isObject[path.depth] = isObject ? 1 : 0;
  path.index[path.depth] = 0;
  path.keyStart[path.depth] = -1;
  const openedAt = cursor.at;
  path.depth += 1;
  cursor.at += 1;
  skipSpace(cursor);
  if (cursor.bytes[cursor.at] === (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
    path.depth -= 1;
    cursor.at += 1;
    return true;
  }
  cursor.opened = true;
  openLevel(build, cursor, path, openedAt);
  return isObject ? skipKey(cursor, path, names) : true;
}

/** After a value: closes what ends here, up to a comma that announces another value. */
function climb(
  { cursor, path, names }: JsonScan, build: JsonBuild,
): 'next value' | 'end' | 'fault' {
  for (;;) {
    skipSpace(cursor);
    if (path.depth === 0) {
      if (cursor.at === cursor.bytes.length) return 'end';
      fail(cursor, 'malformed_json', 'Something follows after the JSON value.');
      return 'fault';
    }
    const top = path.depth - 1;
    const isObject = path.isObject[top] === 1;
    const next = cursor.bytes[cursor.at];
    if (next === COMMA) {
      nextChild(build, cursor, path);
      cursor.at += 1;
      path.index[top] = (path.index[top] ?? 0) + 1;
      if (!isObject) return 'next value';
      return skipKey(cursor, path, names) ? 'next value' : 'fault';
    }
    if (next !== (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
      const closing = isObject ? '}' : ']';
      fail(cursor, 'malformed_json', `A comma or a closing ${closing} is expected.`);
      return 'fault';
    }
    closeLevel(build, cursor, path);
    cursor.at += 1;
    path.depth = top;
  }
}

function skipKey(cursor: Cursor, path: Path, names: NameCount): boolean {
  const top = path.depth - 1;
  path.keyStart[top] = -1;
  skipSpace(cursor);
  if (cursor.bytes[cursor.at] !== QUOTE) {
    return fail(cursor, 'malformed_json', 'A key in double quotes is expected.');
  }
  const keyStart = cursor.at;
  if (!skipName(cursor)) return false;
  path.keyStart[top] = keyStart;
  path.keyEnd[top] = cursor.at;
  path.members += 1;
  if (countName(names, cursor.bytes, keyStart, cursor.at) > BODY_NAMES_MAX) {
    return fail(
      cursor, 'payload_too_large', `The body names more than ${BODY_NAMES_MAX} different members.`,
    );
  }
  skipSpace(cursor);
  if (cursor.bytes[cursor.at] !== COLON) {
    return fail(cursor, 'malformed_json', 'A colon is expected after the key.');
  }
  cursor.at += 1;
  return true;
}
