import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Operation } from '../../kernel/http.ts';
import type { CachedRoute } from './route-cache.ts';
import type { Mounted } from './request-context.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { dryRunInQuery, knowsDryRuns } from './request/dry-run-wish.ts';
import { readQuery } from './request/read-query.ts';
import { createUnrouted } from './unrouted.ts';
import { createUnroutedReason } from './unrouted-reasons.ts';

/** Takes a call from its address to its answer; rejects only with a defect. */
export type ServeRoute = (
  route: CachedRoute, request: IncomingMessage, response: ServerResponse,
) => Promise<void>;

const PARAMETER = /\{([a-z_]+)\}/g;
const PATH = /^(\/([A-Za-z0-9_.-]+|:[a-z_]+))+$/;

/**
 * Express with a route for each operation, which hands calls to `serve`. Throws at boot for an
 * operation that does not say who may call it, or whose body has no schema; whatever is not an
 * operation is answered 404, or 405 where the path has other methods.
 */
export function createRouter(
  operations: readonly Operation[], serve: ServeRoute, ports: HttpPorts, config: HttpConfig,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const unrouted = createUnrouted(ports, config);
  const reasonOf = createUnroutedReason(operations);
  const mountedAt = new Set<string>();
  for (const operation of operations) {
    const mounted: Mounted = { operation, check: checkOf(operation, ports) };
    const path = routePath(operation);
    const route = `${operation.method} ${path.replaceAll(/:[a-z_]+/g, ':')}`;
    if (mountedAt.has(route)) throw new Error(`Two operations are mounted at ${route}.`);
    mountedAt.add(route);
    const countries = operation.needsCountry ? config.countries : undefined;
    const wish = knowsDryRuns(operation) ? dryRunInQuery : undefined;
    const handle = (request: Request, response: Response): Promise<void> => serve({
      mounted, params: textParams(request.params),
      query: readQuery(request.originalUrl, countries, wish),
    }, request, response);
    if (operation.method === 'GET') app.get(path, handle);
    else app.post(path, handle);
  }
  app.use(function refuseUnrouted(request: Request, response: Response) {
    unrouted.refuse(request, response, reasonOf(request.method, request.path));
  });
  app.use(function answerError(
    error: unknown, request: Request, response: Response, _next: NextFunction,
  ) {
    if (isUndecodable(error)) {
      unrouted.refuse(request, response, {
        code: 'invalid_parameter', detail: 'The path is not correctly percent-encoded.',
      });
    } else {
      unrouted.defect(request, response, error);
    }
  });
  return app;
}

/** The schema of the body; an operation that would take unjudged bodies cannot be mounted. */
function checkOf(operation: Operation, ports: HttpPorts): Mounted['check'] {
  const { id } = operation;
  if (operation.authentication === 'bearer' && (!operation.audience || !operation.scope)) {
    throw new Error(`Operation ${id} takes a token, but names no audience and scope for it.`);
  }
  if (!['bearer', 'basic', 'none'].includes(operation.authentication)) {
    throw new Error(`Operation ${id} does not say how its caller is authenticated.`);
  }
  if (operation.bodyKind === 'none') return undefined;
  if (operation.bodySchema === undefined) throw new Error(`Operation ${id} names no body schema.`);
  if (!Number.isSafeInteger(operation.bodyBytesMax) || operation.bodyBytesMax <= 0) {
    throw new Error(`Operation ${id} has no limit for its body.`);
  }
  return ports.schemas.checkOf(operation.bodySchema);
}

/** `/x/{name}` and `/x/:name` mean the same; anything else would be syntax of the router. */
function routePath({ id, path }: Operation): string {
  const written = path.replaceAll(PARAMETER, ':$1');
  if (!PATH.test(written)) throw new Error(`Operation ${id} has a path that is not plain: ${path}`);
  return written;
}

function textParams(params: Request['params']): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>;
}

function isUndecodable(error: unknown): boolean {
  return error instanceof URIError || (error as { status?: unknown } | null)?.status === 400;
}
