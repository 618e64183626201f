import { finish, STEP_BYTES, type Steps } from './steps.ts';

/** Number of members of all objects in a parsed value. Its depth was bounded by the scan. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += countMembers(item);
    return members;
  }
  for (const key of Object.keys(value)) {
    members += 1 + countMembers((value as Record<string, unknown>)[key]);
  }
  return members;
}

interface Frame {
  readonly pointer: string;
  readonly keys: Set<string> | undefined;
  index: number;
  key: string;
}

// One token at a time: a string, or a mark of structure. Scalars between them do not matter.
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The place of the first key that its object has already, keys compared after decoding. The text
 * must have passed the scan. Slow, and only called when there is one.
 */
export function firstDuplicate(text: string): string | undefined {
  return finish(findDuplicate(text));
}

/** The same in steps. */
export function* findDuplicate(text: string, stepBytes = STEP_BYTES): Steps<string | undefined> {
  const frames: Frame[] = [];
  let expectsKey = false;
  let pauseAt = stepBytes;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (index >= pauseAt) {
      yield;
      pauseAt = index + stepBytes;
    }
    const top = frames.at(-1);
    if (token === '{' || token === '[') {
      frames.push(openFrame(top, token === '{'));
      expectsKey = token === '{';
    } else if (token === '}' || token === ']') {
      frames.pop();
      expectsKey = false;
    } else if (token === ',' && top !== undefined) {
      top.index += 1;
      expectsKey = top.keys !== undefined;
    } else if (token !== ':' && expectsKey && top?.keys !== undefined) {
      const key = String(JSON.parse(token));
      if (top.keys.has(key)) return `${top.pointer}/${pointerStep(key)}`;
      top.keys.add(key);
      top.key = key;
      expectsKey = false;
    }
  }
  return undefined;
}

function openFrame(parent: Frame | undefined, isObject: boolean): Frame {
  const pointer = parent === undefined
    ? ''
    : `${parent.pointer}/${parent.keys === undefined ? parent.index : pointerStep(parent.key)}`;
  return { pointer, keys: isObject ? new Set() : undefined, index: 0, key: '' };
}

/** One step of a pointer, with `~` and `/` escaped. */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
