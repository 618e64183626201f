import type { GateReport } from '../../scripts/check/gate.ts';
import { eachRendering } from './each-rendering.ts';
import type { Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

/** The proxy that signs people in, and the one path that is its own. */
const PROXY = 'console-proxy';
const PATH = '/console';

interface RouteSpec {
  readonly parentRefs?: readonly { readonly name: string }[];
  readonly rules?: readonly {
    readonly matches?: readonly {
      readonly path: { readonly type: string; readonly value: string };
    }[];
    readonly backendRefs?: readonly { readonly name: string }[];
  }[];
}

interface SecretSpec {
  readonly data: readonly { readonly secretKey: string }[];
  readonly target: { readonly name: string };
}

/** A path of a route, where it is open and whether the proxy answers there. */
interface Way {
  readonly route: string;
  readonly gateways: readonly string[];
  readonly type: string;
  readonly path: string;
  readonly isToProxy: boolean;
}

/** Where people reach the console by an identity provider, its proxy has that path and no other. */
export function checkConsoleProxy(
  root: string, tools: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  return eachRendering(root, tools, (resources) => resources.some(isProxy)
    ? { seen: 1, complaints: [...misrouted(resources), ...unknownSecrets(resources)] }
    : { seen: 0, complaints: [] });
}

/** Paths that the proxy has beside its own, and ways to its own that lead elsewhere. */
export function misrouted(resources: readonly Resource[]): readonly string[] {
  const ways = resources.filter(({ kind }) => kind === 'HTTPRoute').flatMap(waysOf);
  const isOwn = ({ type, path }: Way): boolean => type === 'PathPrefix' && path === PATH;
  const led = ways.filter((way) => way.isToProxy && isOwn(way)).flatMap(({ gateways }) => gateways);
  return [
    ...ways.filter((way) => way.isToProxy && !isOwn(way))
      .map(({ route, path }) => `HTTPRoute ${route} leads ${path} to the proxy`),
    ...ways.filter(({ path, isToProxy }) => !isToProxy && `${path}/`.startsWith(`${PATH}/`))
      .map(({ route, path }) => `HTTPRoute ${route} leads ${path} past the proxy`),
    ...resources.filter(({ kind, metadata }) => kind === 'Gateway' && !led.includes(metadata.name))
      .map(({ metadata }) => `Gateway ${metadata.name} has no way to the proxy`),
  ];
}

/** Keys of Secrets that the proxy reads and that no ExternalSecret brings. */
export function unknownSecrets(resources: readonly Resource[]): readonly string[] {
  const brought = resources.filter(({ kind }) => kind === 'ExternalSecret').flatMap(({ spec }) => {
    const { data = [], target } = spec as unknown as Partial<SecretSpec>;
    return data.map(({ secretKey }) => `${target?.name ?? ''}/${secretKey}`);
  });
  const asked = resources.filter(isProxy)
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
    .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => secretOf(valueFrom)));
  return asked.length === 0 ? ['has a proxy that reads no Secret']
    : asked.filter((each) => !brought.includes(each))
      .map((each) => `has no Secret ${each} for the proxy`);
}

function waysOf({ metadata, spec }: Resource): readonly Way[] {
  const { parentRefs = [], rules = [] } = spec as RouteSpec;
  const gateways = parentRefs.map(({ name }) => name);
  return rules.flatMap(({ matches = [], backendRefs = [] }) => matches.map(({ path }) => ({
    route: metadata.name, gateways, type: path.type, path: path.value,
    isToProxy: backendRefs.some(({ name }) => name === PROXY),
  })));
}

function secretOf(from: object | undefined): readonly string[] {
  const { secretKeyRef: of } = (from ?? {}) as {
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
  };
  return of === undefined ? [] : [`${of.name}/${of.key}`];
}

function isProxy({ kind, metadata }: Resource): boolean {
  return kind === 'Deployment' && metadata.name === PROXY;
}
