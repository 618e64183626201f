import type { Express } from 'express';

interface Layer {
  readonly name: string;
  readonly route?: { readonly stack: readonly unknown[] };
}

/** Handlers behind all routes, which no request to an operation reaches. */
const BEHIND_ROUTES: ReadonlySet<string> = new Set(['refuseUnrouted', 'answerError']);

/**
 * What a request would miss that does not go through Express: everything in the router besides one
 * handler for each route, and the two that answer where there is no route.
 */
export function skippedLayers(router: Express): readonly string[] {
  const { stack } = router.router as unknown as { readonly stack: readonly Layer[] };
  return stack
    .filter(({ name, route }) => (
      route === undefined ? !BEHIND_ROUTES.has(name) : route.stack.length !== 1
    ))
    .map(({ name }) => name);
}
