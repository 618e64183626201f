import { isWrittenNumber, sortedJson } from './exact-json.ts';
import type { LongTexts } from './long-text.ts';
import { dividedAtStandIns, standInOf, writtenPiecesOf } from './long-texts.ts';
import { STEP_BYTES } from './steps.ts';

/**
 * JSON of a value piece by piece, none of much more than a step. Together they are what
 * `JSON.stringify` writes, or `sortedJson` with `isSorted`; long texts are put in their places.
 */
export function* jsonPieces(
  value: unknown, texts: LongTexts, { isSorted = false, stepBytes = STEP_BYTES }: JsonForm = {},
): Generator<Buffer, void> {
  const form = { isSorted, stepBytes, write: isSorted ? sortedJson : JSON.stringify };
  for (const text of textsOf(value, form)) {
    if (texts.size === 0) yield Buffer.from(text);
    else yield* withLongTexts(text, texts, stepBytes);
  }
}

/** How JSON is written. */
export interface JsonForm {
  readonly isSorted?: boolean;
  readonly stepBytes?: number;
}

function* withLongTexts(
  json: string, texts: LongTexts, stepBytes: number,
): Generator<Buffer, void> {
  for (const [at, part] of dividedAtStandIns(json).entries()) {
    if (at % 2 === 0) {
      if (part !== '') yield Buffer.from(part);
      continue;
    }
    const text = texts.get(standInOf(Number(part)));
    if (text === undefined) throw new Error('A stand-in has no long text.');
    yield QUOTE;
    yield* writtenPiecesOf(text, stepBytes);
    yield QUOTE;
  }
}

const QUOTE = Buffer.from('"');

interface Form extends Required<JsonForm> {
  readonly write: (value: unknown) => string;
}

function* textsOf(value: unknown, form: Form): Generator<string, void> {
  const { write, stepBytes } = form;
  const isSmall = typeof value !== 'object' || weightOf(value, stepBytes) < stepBytes;
  if (isSmall || isWrittenNumber(value)) yield write(value);
  else if (Array.isArray(value)) yield* textsOfList(value, form);
  else yield* textsOfObject(value as Readonly<Record<string, unknown>>, form);
}

function* textsOfList(items: readonly unknown[], form: Form): Generator<string, void> {
  let mark = '[';
  for (const { from, to, isLarge } of groupsOf(items, form.stepBytes)) {
    yield mark;
    if (isLarge) yield* textsOf(items[from], form);
    else yield form.write(items.slice(from, to)).slice(1, -1);
    mark = ',';
  }
  yield items.length === 0 ? '[]' : ']';
}

function* textsOfObject(
  object: Readonly<Record<string, unknown>>, form: Form,
): Generator<string, void> {
  const { write, isSorted, stepBytes } = form;
  const names = isSorted ? sortedNames(object) : Object.keys(object);
  let mark = '{';
  for (const { from, to, isLarge } of groupsOf(names.map((name) => object[name]), stepBytes)) {
    const [first = ''] = names.slice(from, to);
    yield mark;
    if (isLarge) {
      yield `${JSON.stringify(first)}:`;
      yield* textsOf(object[first], form);
    } else {
      // One by one, since an object of them would have them in another order.
      yield names.slice(from, to)
        .map((name) => `${JSON.stringify(name)}:${write(object[name])}`).join();
    }
    mark = ',';
  }
  yield '}';
}

/** In the order of `sortedJson`: an object has names such as `1` before all others. */
function sortedNames(object: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(Object.fromEntries(Object.keys(object).sort().map((name) => [name, 0])));
}

/** Neighbours that are together no more than a step, and each that is more alone. */
function* groupsOf(
  values: readonly unknown[], stepBytes: number,
): Generator<{ readonly from: number; readonly to: number; readonly isLarge: boolean }, void> {
  let from = 0;
  let weight = 0;
  for (const [at, value] of values.entries()) {
    const own = weightOf(value, stepBytes);
    if (own >= stepBytes || weight + own >= stepBytes) {
      if (at > from) yield { from, to: at, isLarge: false };
      [from, weight] = [at, 0];
    }
    if (own >= stepBytes) {
      yield { from: at, to: at + 1, isLarge: true };
      from = at + 1;
    } else weight += own;
  }
  if (values.length > from) yield { from, to: values.length, isLarge: false };
}

const VALUE_WEIGHT = 8;

/** About the bytes of a value in JSON; counting stops at `max`. */
function weightOf(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + VALUE_WEIGHT;
  if (typeof value !== 'object' || value === null) return VALUE_WEIGHT;
  if (isWrittenNumber(value)) return JSON.stringify(value).length + VALUE_WEIGHT;
  let weight = VALUE_WEIGHT;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && weight < max; at += 1) {
      weight += weightOf(value[at], max - weight);
    }
    return weight;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    weight += name.length + VALUE_WEIGHT + weightOf(members[name], max - weight);
    if (weight >= max) break;
  }
  return weight;
}
