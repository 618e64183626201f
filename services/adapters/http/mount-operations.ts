import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { CODES } from '../../kernel/codes.ts';
import type { Operation, Refusal } from '../../kernel/http.ts';
import { createAddresses, type Address } from './addresses.ts';
import type { Mounted } from './answer-call.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { discardRest } from './request/discard-rest.ts';
import { requestIdOf } from './request/headers.ts';
import { readQuery } from './request/read-query.ts';
import { createServeCall } from './serve-call.ts';
import { writeAnswer } from './write-answer.ts';

const PARAMETER = /\{([a-z_]+)\}/g;
const PATH = /^(\/([A-Za-z0-9_.-]+|:[a-z_]+))+$/;

/**
 * Puts operations on an Express application. Throws at boot for an operation that does not say who
 * may call it, or whose body has no schema; whatever is not an operation is answered 404.
 */
export function mountOperations(
  operations: readonly Operation[], ports: HttpPorts, config: HttpConfig,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Throws at boot for what is no address; an empty list trusts nobody.
  app.set('trust proxy', [...config.trustedProxies]);
  const serveCall = createServeCall(config, ports);
  const addresses = createAddresses();
  const mountedAt = new Set<string>();
  const serve = async (
    { mounted, params, query }: Address, request: Request, response: Response,
  ): Promise<void> => {
    await serveCall(mounted, { request, response, url: request.originalUrl, params, query });
  };
  app.use((request: Request, response: Response, next: NextFunction) => {
    const address = request.method === 'POST' ? addresses.find(request.originalUrl) : undefined;
    if (address !== undefined) return serve(address, request, response);
    next();
    return undefined;
  });
  for (const operation of operations) {
    const mounted: Mounted = { operation, check: checkOf(operation, ports) };
    const path = routePath(operation);
    const place = `${operation.method} ${path.replaceAll(/:[a-z_]+/g, ':')}`;
    if (mountedAt.has(place)) throw new Error(`Two operations are mounted at ${place}.`);
    mountedAt.add(place);
    const countries = operation.needsCountry ? config.countries : undefined;
    const addressOf = ({ originalUrl, params }: Request): Address => (
      { mounted, params: textParams(params), query: readQuery(originalUrl, countries) }
    );
    if (operation.method === 'GET') {
      app.get(path, (request, response) => serve(addressOf(request), request, response));
    } else {
      app.post(path, (request, response) => (
        serve(addresses.keep(request.originalUrl, addressOf(request)), request, response)
      ));
    }
  }
  app.use((request: Request, response: Response) => {
    refuse(request, response, {
      code: 'route_not_found', detail: 'There is no operation at this path and method.',
    });
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (isUndecodable(error)) {
      refuse(request, response, {
        code: 'invalid_parameter', detail: 'The path is not correctly percent-encoded.',
      });
      return;
    }
    const reason = error instanceof Error ? error.stack ?? error.message : String(error);
    ports.signals.log('error', 'call_defect', { operation: 'none', reason });
    refuse(request, response, { code: 'internal', detail: CODES.internal.meaning });
  });
  return app;

  function refuse(request: Request, response: Response, refusal: Refusal): void {
    const requestId = requestIdOf(request, () => ports.ids.nonce());
    const written = writeAnswer(response, ports.errors, { kind: 'refusal', ...refusal }, {
      requestId, path: request.originalUrl, quota: undefined,
    });
    discardRest(request, config.discardedBytesMax);
    ports.signals.count('rastro_http_requests_total', 1, { operation: 'none', ...written });
  }
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
