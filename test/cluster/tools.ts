import { definitionFiles, requireKustomize } from '../../infra/check/tools.ts';
import type { Cache } from '../../infra/local/cache.ts';
import { requireEtcd, requireKubernetes } from './programs/kubernetes.ts';
import type { ClusterTools } from './stage.ts';

/** Brings everything that a control plane and its overlays need, the first time. */
export async function requireCluster(
  cache: Cache, print: (line: string) => void,
): Promise<ClusterTools> {
  if (process.getuid?.() !== 0) throw new Error('A cluster in namespaces of its own needs root.');
  await requireEtcd(cache);
  return {
    kubernetes: await requireKubernetes(cache),
    kustomize: await requireKustomize(cache.dir, print),
    definitions: await definitionFiles(cache),
  };
}
