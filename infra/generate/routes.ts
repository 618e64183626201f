import { GATEWAYS, type GatewayRoom } from '../../services/gateways/gateways.ts';
import type { Yaml } from './yaml.ts';

/** A prefix of paths that one gateway answers, perhaps for one method alone. */
export interface Route {
  readonly room: GatewayRoom;
  readonly prefix: string;
  readonly method?: 'GET';
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
  { room: 'query', prefix: '/shipping/rtt/limits' },
  { room: 'query', prefix: '/shipping/tracking/ingest' },
  { room: 'query', prefix: '/shipping/tracking/limits' },
  { room: 'georeceiver', prefix: '/shipping/rtt/georeceiver' },
  { room: 'authorization', prefix: '/shipments' },
  { room: 'notifications', prefix: '/shipping/tracking' },
  { room: 'platform', prefix: '/platform' },
  { room: 'query', prefix: '/platform/ingest' },
  { room: 'live', prefix: '/shipping/rtt/live' },
  { room: 'live', prefix: '/shipping/tracking/live' },
  { room: 'live', prefix: '/platform/live' },
  { room: 'live', prefix: '/operator/live' },
  { room: 'docs', prefix: '/' },
];

/** The gateway that gets a call. */
export function roomOf(method: string, path: string): GatewayRoom | undefined {
  const fitting = ROUTES.filter((route) =>
    isUnder(path, route.prefix) && (route.method === undefined || route.method === method));
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

/** The route of the cluster's gateway to each of our programs. */
export function httpRoutes(): readonly Yaml[] {
  const byProgram = Map.groupBy(ROUTES, ({ room }) => programOf(room));
  return [...byProgram].map(([program, routes]) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: program, labels: { 'app.kubernetes.io/part-of': 'rastro' } },
    spec: {
      parentRefs: [{ name: 'rastro', sectionName: 'https' }],
      rules: [{
        matches: routes.map(({ prefix, method }) => ({
          path: { type: 'PathPrefix', value: prefix }, method,
        })),
        backendRefs: [{ name: program, port: 80 }],
        ...program === 'live' ? ENDLESS : {
          '#timeouts': 'Longer than a call may take here (RASTRO_HTTP_REQUEST_TIMEOUT_MS).',
          timeouts: { request: '45s' },
        },
      }],
    },
  }));
}

function programOf(room: GatewayRoom): string {
  return GATEWAYS.find(({ id }) => id === room)?.program ?? '';
}
