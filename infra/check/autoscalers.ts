import type { GateReport } from '../../scripts/check/gate.ts';
import { eachRendering } from './each-rendering.ts';
import { plainEnv, type Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

interface Trigger {
  readonly type: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Every address that an autoscaler asks is one that KEDA finds from its own namespace. */
export function checkAutoscalers(
  root: string, tools: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  return eachRendering(root, tools, (resources) => ({
    seen: resources.filter(({ kind }) => kind === 'ScaledObject').length,
    complaints: unreachable(resources),
  }));
}

/** Triggers whose address KEDA cannot look up: it then makes no autoscaler at all. */
export function unreachable(resources: readonly Resource[]): readonly string[] {
  return resources.filter(({ kind }) => kind === 'ScaledObject').flatMap((scaler) => {
    const { triggers = [] } = scaler.spec as { readonly triggers?: readonly Trigger[] };
    return triggers.flatMap((trigger) => addressesOf(trigger, scaler, resources))
      .filter((address) => !isWhole(address))
      .map((address) => `ScaledObject ${scaler.metadata.name} asks ${address}, `
        + 'which has no meaning in the namespace of KEDA');
  });
}

function addressesOf(
  { metadata }: Trigger, scaler: Resource, resources: readonly Resource[],
): readonly string[] {
  const { serverAddress, bootstrapServers, bootstrapServersFromEnv } = metadata;
  const { scaleTargetRef } = scaler.spec as { readonly scaleTargetRef: { readonly name: string } };
  const target = resources.find((each) => (
    each.kind === 'Deployment' && each.metadata.name === scaleTargetRef.name
  ));
  const [container] = target?.spec?.template?.spec.containers ?? [];
  const fromEnv = bootstrapServersFromEnv === undefined ? undefined
    : plainEnv(container ?? {}, resources)[bootstrapServersFromEnv] ?? '';
  return [bootstrapServers, fromEnv].flatMap((list) => list?.split(',') ?? [])
    .concat(serverAddress === undefined ? [] : [new URL(serverAddress).host]);
}

/** `service.namespace.svc` inside a cluster; outside, a name with two dots or an address. */
function isWhole(address: string): boolean {
  const [host = ''] = address.trim().split(':');
  return /^[\w-]+(\.[\w-]+){2,}$/.test(host);
}
