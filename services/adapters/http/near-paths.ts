import { editDistance } from '../../kernel/near-name.ts';

/** A path as it is served, with its parts: `{name}` is any text. */
export interface KnownPath {
  readonly template: string;
  readonly segments: readonly string[];
}

/** Characters that are wrong in a path which is still near to another one. */
const WRONG_CHARACTERS_MAX = 3;
/** A part too many or too few counts like so many characters. */
const PART_COST = 2;
const VERSION = /^v\d{1,3}$/;
const PARAMETER = /^\{.*\}$|^:/;

/**
 * Names the path that is nearest to one that is none, and what to do about the usual differences.
 * Undefined where none is near. Nothing that was sent is repeated.
 */
export function nearestPath(known: readonly KnownPath[], path: string): string | undefined {
  const asked = partsOf(path);
  let best: { readonly known: KnownPath; readonly wrong: number } | undefined;
  for (const each of known) {
    const wrong = wrongness(each.segments.slice(1), asked);
    if (wrong > WRONG_CHARACTERS_MAX || wrong >= (best?.wrong ?? Infinity)) continue;
    best = { known: each, wrong };
  }
  if (best === undefined) return undefined;
  const advice = adviceFor(best.known.segments.slice(1), path);
  return ` Near to it is ${best.known.template}${advice === '' ? '' : `: ${advice}`}.`;
}

/** What is left of a path without what callers often add or write otherwise. */
function partsOf(path: string): readonly string[] {
  const parts = path.toLowerCase().split('/').filter((part) => part !== '');
  return VERSION.test(parts[0] ?? '') ? parts.slice(1) : parts;
}

/**
 * The characters that are wrong; also without the first part or a parameter of the known path, as
 * callers forget them, and without the first part of the asked one, as `/api`.
 */
function wrongness(segments: readonly string[], asked: readonly string[]): number {
  const shorter = segments.flatMap((segment, at) => (
    at === 0 || PARAMETER.test(segment) ? [segments.toSpliced(at, 1)] : []));
  return Math.min(
    wrongCharacters(segments, asked),
    PART_COST + wrongCharacters(segments, asked.slice(1)),
    ...shorter.map((each) => PART_COST + wrongCharacters(each, asked)),
  );
}

/** Infinite where nothing but parameters, which any text fits, is the same. */
function wrongCharacters(segments: readonly string[], asked: readonly string[]): number {
  if (segments.length !== asked.length) return Infinity;
  const literals: number[] = [];
  let sum = 0;
  for (const [at, segment] of segments.entries()) {
    if (PARAMETER.test(segment)) continue;
    const wrong = wrongIn(segment, asked[at] ?? '');
    literals.push(wrong);
    sum += wrong;
    // Strangers send paths too: what is not near costs no more than that.
    if (sum > WRONG_CHARACTERS_MAX) return Infinity;
  }
  const isFit = literals.includes(0) || literals.length === segments.length;
  return isFit && literals.length > 0 ? sum : Infinity;
}

function wrongIn(segment: string, asked: string): number {
  const isFar = Math.abs(segment.length - asked.length) > WRONG_CHARACTERS_MAX;
  return isFar ? Infinity : editDistance(segment, asked);
}

function adviceFor(segments: readonly string[], path: string): string {
  const raw = path.split('/').filter((part) => part !== '');
  const hasVersion = VERSION.test((raw[0] ?? '').toLowerCase());
  const parts = hasVersion ? raw.slice(1) : raw;
  const hasCapitals = parts.length === segments.length && segments.some((segment, at) => (
    segment !== parts[at] && segment === parts[at]?.toLowerCase()));
  return [
    ...(path.length > 1 && path.endsWith('/') ? ['leave out the slash at the end'] : []),
    ...(path.includes('//') ? ['write one slash where there are two'] : []),
    ...(hasVersion ? ['leave out the version'] : []),
    ...(hasCapitals ? ['write it in lower case'] : []),
  ].join(' and ');
}
