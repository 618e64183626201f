import type { RequestListener } from 'node:http';
import type { Operation } from '../../kernel/http.ts';
import { createRouteCache } from './route-cache.ts';
import { createRouter, type ServeRoute } from './create-router.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { createServeCall } from './serve-call.ts';
import { createUnrouted } from './unrouted.ts';

/**
 * Puts operations behind one listener. Express finds the operation of an address and makes out its
 * parameters; a post to an address that came lately means the same again and goes the short way.
 * Throws at boot where `createRouter` does.
 */
export function mountOperations(
  operations: readonly Operation[], ports: HttpPorts, config: HttpConfig,
): RequestListener {
  const routes = createRouteCache();
  const unrouted = createUnrouted(ports, config);
  const router = createRouter(operations, (route, request, response) => {
    if (request.method === 'POST') routes.keep(request.url ?? '', route);
    return serve(route, request, response);
  }, ports, config);
  const serveCall = createServeCall(config, ports, (request) => {
    // What went the short way has not met Express, which alone knows which proxies are trusted.
    Object.setPrototypeOf(request, router.request);
    return (request as typeof router.request).ip ?? '';
  });
  const serve: ServeRoute = async ({ mounted, params, query }, request, response) => {
    await serveCall(mounted, { request, response, url: request.url ?? '', params, query });
  };

  return (request, response) => {
    const route = request.method === 'POST' ? routes.find(request.url ?? '') : undefined;
    if (route === undefined) {
      router(request, response);
      return;
    }
    serve(route, request, response).catch((error: unknown) => {
      unrouted.defect(request, response, error);
    });
  };
}
