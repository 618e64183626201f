import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesOf, type Resource } from '../../../infra/check/resources.ts';
import { run } from '../../../infra/local/command.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { ProductStage } from './place.ts';
import type { DrawnSecrets } from './secrets.ts';
import { applyWaves } from './waves.ts';

const RENDER_MS_MAX = 300_000;
const OVERLAY = 'test/cluster/product/overlay';

/** Renders the overlay with a version of the product, applies it by waves, and gives complaints. */
export async function deploy(stage: ProductStage, tag: string): Promise<readonly string[]> {
  const { plane } = await stage.cluster();
  const work = join(stage.folder, 'rendered');
  mkdirSync(work, { recursive: true });
  return applyWaves(await rendered(stage, tag, work), { plane, work });
}

/** The resources of the overlay with a version of the product. */
async function rendered(
  { copy, kustomize, tags }: ProductStage, tag: string, work: string,
): Promise<readonly Resource[]> {
  const settings = join(copy, OVERLAY, 'kustomization.yaml');
  const before = readFileSync(settings, 'utf8');
  const file = join(work, 'product.yaml');
  writeFileSync(settings, before.replace(`newTag: ${tags.tag}\n`, `newTag: ${tag}\n`));
  try {
    await run(kustomize, [
      'build', '--load-restrictor', 'LoadRestrictionsNone', join(copy, OVERLAY), '-o', file,
    ], { deadlineMs: RENDER_MS_MAX });
  } finally {
    writeFileSync(settings, before);
  }
  return resourcesOf(readFileSync(file, 'utf8'));
}

/** Applies objects that no overlay has: secrets and volumes. */
export async function applyObjects(
  { kubectl }: ControlPlane, file: string, items: readonly object[],
): Promise<void> {
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), { mode: 0o600 });
  await kubectl([
    'apply', '--server-side', '--force-conflicts', '--field-manager', 'rastro-test',
    '--filename', file,
  ]);
}

/** Secrets as the API server takes them. */
export function secretObjects(secrets: DrawnSecrets): readonly object[] {
  return Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'rastro' }, stringData,
  }));
}
