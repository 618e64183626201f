import type { RequestListener } from 'node:http';
import proxyAddr from 'proxy-addr';
import type { Operation } from '../../kernel/http.ts';
import { createRouteCache } from './route-cache.ts';
import { createRouter, type ServeRoute } from './create-router.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { createServeCall } from './serve-call.ts';
import { createServePage, mayBePage } from './serve-pages.ts';
import { skippedLayers } from './skipped-layers.ts';
import { createUnrouted } from './unrouted.ts';

/**
 * Puts operations behind one listener. Express finds the operation of a URL and reads its
 * parameters; a post to a URL that came recently means the same again and does not go through
 * Express. Throws at boot where `createRouter` does, and where the router has a layer that those
 * requests would skip. Pages, where there are any, are asked before the router.
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
  const skipped = skippedLayers(router);
  if (skipped.length > 0) {
    throw new Error(`Requests to recent routes would skip ${skipped.join(', ')} of the router.`);
  }
  // Throws at boot for what is no address; an empty list trusts no proxy.
  const isTrusted = proxyAddr.compile(config.trustedProxies);
  const serveCall = createServeCall(
    config, ports, (request) => proxyAddr(request, isTrusted) ?? '',
  );
  const serve: ServeRoute = async ({ mounted, params, query }, request, response) => {
    await serveCall(mounted, { request, response, url: request.url ?? '', params, query });
  };

  const { pages } = ports;
  const servePage = pages && createServePage(pages, ports, config);

  return (request, response) => {
    if (servePage !== undefined && mayBePage(pages, request)) {
      servePage(request, response).then((isServed) => {
        if (!isServed) router(request, response);
      }).catch((error: unknown) => { unrouted.defect(request, response, error); });
      return;
    }
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
