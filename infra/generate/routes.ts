import { GATEWAYS, type GatewayRoom } from '../../services/gateways/gateways.ts';
import type { Yaml } from './yaml.ts';

/** A prefix of paths that one gateway answers, perhaps for one method alone. */
export interface Route {
  readonly room: GatewayRoom;
  readonly prefix: string;
  readonly method?: 'GET';
  /** True for one path and none below it. */
  readonly isExact?: true;
  /** True when it is for the platform and for operators, whose address is another one. */
  readonly isApart?: true;
}

/**
 * Which gateway answers what. The longest prefix wins, then the one with a method; a path that
 * no gateway has is answered by `docs`, in the form in which every gateway says 404.
 */
export const ROUTES: readonly Route[] = [
  { room: 'oauth', prefix: '/oauth' },
  { room: 'devices', prefix: '/shipping/rtt/devices' },
  { room: 'query', prefix: '/shipping/rtt/devices', method: 'GET' },
  { room: 'query', prefix: '/shipping/rtt/traceables' },
  { room: 'query', prefix: '/shipping/rtt/fleet' },
  { room: 'query', prefix: '/shipping/rtt/ingest' },
  { room: 'query', prefix: '/shipping/rtt/calls' },
  { room: 'query', prefix: '/shipping/rtt/scores' },
  { room: 'query', prefix: '/shipping/rtt/limits' },
  { room: 'query', prefix: '/shipping/rtt/examinations' },
  { room: 'query', prefix: '/shipping/tracking/ingest' },
  { room: 'query', prefix: '/shipping/tracking/calls' },
  { room: 'query', prefix: '/shipping/tracking/limits' },
  { room: 'query', prefix: '/shipping/tracking/examinations' },
  { room: 'georeceiver', prefix: '/shipping/rtt/georeceiver' },
  { room: 'authorization', prefix: '/shipments' },
  { room: 'notifications', prefix: '/shipping/tracking' },
  { room: 'live', prefix: '/shipping/rtt/live' },
  { room: 'live', prefix: '/shipping/tracking/live' },
  { room: 'platform', prefix: '/platform', isApart: true },
  { room: 'query', prefix: '/platform/ingest', isApart: true },
  { room: 'live', prefix: '/platform/live', isApart: true },
  { room: 'operator', prefix: '/operator', isApart: true },
  { room: 'live', prefix: '/operator/live', isApart: true },
  { room: 'console', prefix: '/console' },
  { room: 'docs', prefix: '/docs', isApart: true },
  { room: 'docs', prefix: '/openapi.json', isApart: true },
  { room: 'docs', prefix: '/', isExact: true, isApart: true },
  { room: 'docs', prefix: '/' },
];

/** The gateway that gets a call. */
export function roomOf(method: string, path: string): GatewayRoom | undefined {
  const fitting = ROUTES.filter((route) =>
    (route.isExact ? path === route.prefix : isUnder(path, route.prefix))
    && (route.method === undefined || route.method === method));
  const specificity = ({ prefix, method: only }: Route): number =>
    prefix.length * 2 + (only === undefined ? 0 : 1);
  return fitting.toSorted((one, other) => specificity(other) - specificity(one))[0]?.room;
}

function isUnder(path: string, prefix: string): boolean {
  return prefix === '/' || path === prefix || path.startsWith(`${prefix}/`);
}

const ENDLESS = {
  '#timeouts': 'A feed has no end.', 'timeouts': { request: '0s' },
};

/** A path that no gateway has: what is not for the public is answered as this is. */
const NOWHERE = '/not-here';
/** Where the platform gets its tokens: at its own address too. */
const TOKENS: readonly Route[] = ROUTES.filter(({ room }) => room === 'oauth');
/** Pages for people, at both addresses. */
const CONSOLE: readonly Route[] = ROUTES.filter(({ room }) => room === 'console');

/**
 * Routes of the public address to our programs, and of the platform's and operators' own. That of
 * the console is one for both, so that an overlay may have a proxy answer there.
 */
export function httpRoutes(): readonly Yaml[] {
  const apart = ROUTES.filter(({ isApart }) => isApart);
  const open = ROUTES.filter((each) => !each.isApart && !CONSOLE.includes(each));
  const byProgram = Map.groupBy(open, ({ room }) => programOf(room));
  return [
    ...[...byProgram].map(([program, routes]) => route(program, ['rastro'], [
      rule(program, routes),
      ...(program === programOf('docs') ? [hidden(program, apart)] : []),
    ])),
    route('platform', ['rastro-platform'], [...Map.groupBy(
      [...TOKENS, ...apart], ({ room }) => programOf(room),
    )].map(([program, routes]) => rule(program, routes))),
    route('console', ['rastro', 'rastro-platform'], [rule(programOf('console'), CONSOLE)]),
  ];
}

function route(name: string, gateways: readonly string[], rules: readonly Yaml[]): Yaml {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'rastro' } },
    spec: { parentRefs: gateways.map((each) => ({ name: each, sectionName: 'https' })), rules },
  };
}

function rule(program: string, routes: readonly Route[]): { readonly [field: string]: Yaml } {
  return {
    matches: routes.map(({ prefix, method, isExact }) => ({
      path: { type: isExact ? 'Exact' : 'PathPrefix', value: prefix }, method,
    })),
    backendRefs: [{ name: program, port: 80 }],
    ...program === 'live' ? ENDLESS : {
      '#timeouts': 'Longer than a call may take here (RASTRO_HTTP_REQUEST_TIMEOUT_MS).',
      timeouts: { request: '45s' },
    },
  };
}

/** The program has these paths too, and is reached by its other ones. */
function hidden(program: string, routes: readonly Route[]): Yaml {
  return {
    '#': 'Not for the public: answered as a path that is not there.',
    'filters': [{
      type: 'URLRewrite', urlRewrite: { path: { type: 'ReplaceFullPath', replaceFullPath: NOWHERE } },
    }],
    ...rule(program, routes),
  };
}

function programOf(room: GatewayRoom): string {
  return GATEWAYS.find(({ id }) => id === room)?.program ?? '';
}
