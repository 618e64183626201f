import type { GateReport } from '../../scripts/check/gate.ts';
import { eachRendering } from './each-rendering.ts';
import type { Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

const WAVE = 'argocd.argoproj.io/sync-wave';
/** Fields by which a resource names another that must be there first, and what kind that is. */
const REFERENCES: Readonly<Record<string, { readonly kind: string; readonly within?: string }>> = {
  configMapRef: { kind: 'ConfigMap', within: 'name' },
  configMap: { kind: 'ConfigMap', within: 'name' },
  secretKeyRef: { kind: 'ExternalSecret', within: 'name' },
  secretRef: { kind: 'ExternalSecret', within: 'name' },
  secret: { kind: 'ExternalSecret', within: 'secretName' },
  serviceAccountName: { kind: 'ServiceAccount' },
  scaleTargetRef: { kind: 'Deployment', within: 'name' },
};

/** A GitOps tool ends each wave before the next one: nothing waits for what comes later. */
export function checkWaves(
  root: string, tools: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  return eachRendering(root, tools, (resources) => (
    { seen: resources.length, complaints: deadlocks(resources) }));
}

/** Resources that wait for one of a later wave, which then never begins. */
export function deadlocks(resources: readonly Resource[]): readonly string[] {
  const nameOf = (kind: string, name: string): string => `${kind} ${name}`;
  const waves = new Map(resources.map((each) => (
    [nameOf(each.kind, each.metadata.name), waveOf(each)] as const
  )));
  return resources.flatMap((each) => {
    const names = new Set(referencesIn(each.spec).map(({ kind, name }) => nameOf(kind, name)));
    return [...names].filter((name) => (waves.get(name) ?? -Infinity) > waveOf(each))
      .map((name) => `${each.kind} ${each.metadata.name} waits for ${name}, which comes later`);
  });
}

/** In which wave a GitOps tool applies a resource. */
export function waveOf({ metadata }: Resource): number {
  return Number(metadata.annotations?.[WAVE] ?? 0);
}

function referencesIn(value: unknown): readonly { readonly kind: string; readonly name: string }[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, each]: [string, unknown]) => {
    const { kind, within } = REFERENCES[field] ?? {};
    const name = within === undefined ? each : (each as Record<string, unknown> | null)?.[within];
    const own = kind !== undefined && typeof name === 'string' ? [{ kind, name }] : [];
    return [...own, ...referencesIn(each)];
  });
}
