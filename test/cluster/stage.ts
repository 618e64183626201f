import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openNamespaces, type Namespaces } from '../containers/machine/namespaces.ts';
import type { ClusterStage } from './acts/act-place.ts';
import { startApiServer, type ControlPlane } from './control-plane.ts';
import { applyDefinitions, type Overlay } from './overlays.ts';

/** What a run of acts has. */
export interface ClusterRunGiven {
  readonly root: string;
  /** A folder of this run. */
  readonly folder: string;
  readonly runId: string;
  readonly tools: ClusterTools;
  readonly print: (line: string) => void;
}

/** Programs and files that were brought. */
export interface ClusterTools {
  /** The program of all parts of Kubernetes. */
  readonly kubernetes: string;
  readonly kustomize: string;
  /** Files with the definitions of every operator. */
  readonly definitions: readonly string[];
}

/** Copies the manifests, and begins without a control plane. */
export function openClusterStage(
  { root, folder, runId, tools, print }: ClusterRunGiven,
): ClusterStage {
  const copy = join(folder, 'product');
  mkdirSync(copy, { recursive: true });
  cpSync(join(root, 'infra'), join(copy, 'infra'), { recursive: true });
  let running: { readonly overlay: Overlay; readonly plane: ControlPlane } | undefined;
  let namespaces: Namespaces | undefined;
  let planes = 0;

  async function close(): Promise<void> {
    running = undefined;
    const ended = namespaces;
    namespaces = undefined;
    await ended?.close();
  }

  return {
    runId, folder, print, close,
    rendering: { root: copy, kustomize: tools.kustomize, work: join(folder, 'rendered') },
    async plane(overlay) {
      if (running?.overlay === overlay) return running.plane;
      await close();
      planes += 1;
      const dir = join(folder, `plane-${planes}`);
      mkdirSync(dir);
      namespaces = await openNamespaces({
        network: 'own', runId, output: join(dir, 'namespaces.log'),
      });
      const plane = await startApiServer(namespaces, tools.kubernetes, dir);
      const { complaints } = await applyDefinitions(plane, tools.definitions);
      if (complaints.length > 0) throw new Error(`Definitions: ${complaints.join('; ')}`);
      running = { overlay, plane };
      return plane;
    },
  };
}
