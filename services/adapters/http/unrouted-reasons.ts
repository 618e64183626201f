import type { Operation, Refusal } from '../../kernel/http.ts';
import { nearestPath, type KnownPath } from './near-paths.ts';

/** Why no operation answers a call. Never repeats the path: it may hold what must stay unseen. */
export type UnroutedReason = (method: string, path: string) => Refusal;

/** A path and what it takes. */
interface ServedPath extends KnownPath {
  readonly methods: readonly string[];
}

const PATH_CHARACTERS_MAX = 512;
const PARAMETER = /^\{.*\}$|^:/;
/** Where people find every path, at the gateways that serve it. */
const DOCS = '/docs';

/**
 * Says of a path that has other methods which they are (405, `Allow`), and of a path that is near
 * to another one which that is.
 */
export function createUnroutedReason(operations: readonly Operation[]): UnroutedReason {
  const known = knownPaths(operations);
  const all = known.some(({ template }) => template === DOCS)
    ? ` GET ${DOCS} shows all that there are.` : '';
  return function reasonOf(method, path) {
    const short = path.length <= PATH_CHARACTERS_MAX ? path : '/';
    const here = known.find(({ segments }) => isAt(segments, short.split('/')));
    if (here !== undefined) {
      return {
        code: 'method_not_allowed', allow: here.methods,
        detail: `This path takes ${here.methods.join(' and ')}, not ${nameOf(method)}.`,
      };
    }
    return {
      code: 'route_not_found',
      detail: `There is no operation at this path and method.${nearestPath(known, short) ?? all}`,
    };
  };
}

function knownPaths(operations: readonly Operation[]): readonly ServedPath[] {
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

/** Only methods that HTTP names are repeated. */
function nameOf(method: string): string {
  return /^[A-Z]{3,7}$/.test(method) ? method : 'this method';
}
