import { distance } from 'fastest-levenshtein';
import type { Operation, Refusal } from '../../kernel/http.ts';

/** Why no operation answers a call. Never repeats the path: it may hold what must stay unseen. */
export type UnroutedReason = (method: string, path: string) => Refusal;

interface KnownPath {
  readonly template: string;
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

const PATH_CHARACTERS_MAX = 512;
/** Characters that are wrong in a path which is still near to another one. */
const WRONG_CHARACTERS_MAX = 3;
const VERSION = /^v\d{1,3}$/;
const PARAMETER = /^\{.*\}$|^:/;

/**
 * Says of a path that has other methods which they are (405, `Allow`), and of a path that is near
 * to another one which that is.
 */
export function createUnroutedReason(operations: readonly Operation[]): UnroutedReason {
  const known = knownPaths(operations);
  return function reasonOf(method, path) {
    const short = path.length <= PATH_CHARACTERS_MAX ? path : '/';
    const here = known.find(({ segments }) => isAt(segments, short.split('/')));
    if (here !== undefined) {
      return {
        code: 'method_not_allowed', allow: here.methods,
        detail: `This path takes ${here.methods.join(' and ')}, not ${nameOf(method)}.`,
      };
    }
    const near = nearest(known, short);
    return {
      code: 'route_not_found',
      detail: near === undefined
        ? 'There is no operation at this path and method.'
        : `There is no operation at this path and method. Near to it is ${near}.`,
    };
  };
}

function knownPaths(operations: readonly Operation[]): readonly KnownPath[] {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of operations) {
    const of = methods.get(path) ?? new Set();
    of.add(method);
    // Express answers it where there is a GET.
    if (method === 'GET') of.add('HEAD');
    methods.set(path, of);
  }
  return [...methods].map(([template, of]) => ({
    template, segments: template.split('/'), methods: [...of],
  }));
}

function isAt(segments: readonly string[], asked: readonly string[]): boolean {
  return segments.length === asked.length && segments.every((segment, index) => (
    PARAMETER.test(segment) ? asked[index] !== '' : segment === asked[index]));
}

/** What is left of a path without what callers often add or write otherwise. */
function plain(path: string): readonly string[] {
  const segments = path.toLowerCase().split('/').filter((segment) => segment !== '');
  return VERSION.test(segments[0] ?? '') ? segments.slice(1) : segments;
}

function nearest(known: readonly KnownPath[], path: string): string | undefined {
  const asked = plain(path);
  let best: { readonly template: string; readonly wrong: number } | undefined;
  for (const { template, segments } of known) {
    const wrong = wrongCharacters(segments.slice(1), asked);
    if (wrong > WRONG_CHARACTERS_MAX || wrong >= (best?.wrong ?? Infinity)) continue;
    best = { template, wrong };
  }
  return best?.template;
}

function wrongCharacters(segments: readonly string[], asked: readonly string[]): number {
  if (segments.length !== asked.length) return Infinity;
  return segments.reduce((sum, segment, index) => (
    PARAMETER.test(segment) ? sum : sum + distance(segment, asked[index] ?? '')), 0);
}

/** Only methods that HTTP names are repeated. */
function nameOf(method: string): string {
  return /^[A-Z]{3,7}$/.test(method) ? method : 'this method';
}
