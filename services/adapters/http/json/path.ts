import { pointerStep } from '../../../kernel/json-duplicates.ts';

/**
 * The way from the root to where a scan stands, in plain numbers so that following it costs next to
 * nothing; only a fault turns it into a pointer.
 */
export interface Path {
  readonly depthMax: number;
  readonly isObject: Uint8Array;
  readonly index: Int32Array;
  readonly keyStart: Int32Array;
  readonly keyEnd: Int32Array;
  depth: number;
  /** Members of all objects so far. */
  members: number;
}

/** Longest pointer in an answer, in characters; a deeper part is left out. */
const POINTER_CHARACTERS_MAX = 512;

/** The path of a scan at the root. */
export function createPath(depthMax: number): Path {
  return {
    depthMax,
    isObject: new Uint8Array(depthMax),
    index: new Int32Array(depthMax),
    keyStart: new Int32Array(depthMax),
    keyEnd: new Int32Array(depthMax),
    depth: 0,
    members: 0,
  };
}

/** The name of the member at this level. */
export function keyIn(path: Path, bytes: Buffer, level: number): string {
  return String(JSON.parse(bytes.toString('utf8', path.keyStart[level], path.keyEnd[level])));
}

/** The place as RFC 6901 pointer; empty for the whole body. */
export function pointerOf(path: Path, bytes: Buffer): string {
  let pointer = '';
  for (let level = 0; level < path.depth; level += 1) {
    const keyStart = path.keyStart[level] ?? -1;
    if (path.isObject[level] === 1 && keyStart < 0) break;
    const step = path.isObject[level] === 1
      ? keyIn(path, bytes, level)
      : String(path.index[level]);
    const longer = `${pointer}/${pointerStep(step)}`;
    if (longer.length > POINTER_CHARACTERS_MAX) break;
    pointer = longer;
  }
  return pointer;
}
