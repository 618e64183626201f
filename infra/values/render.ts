import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../local/command.ts';
import { valuesFiles } from './overlay.ts';
import type { OperatorValues } from './read-values.ts';

const BUILD_MS_MAX = 600_000;
const PROD = 'infra/kubernetes/overlays/prod';

/** Writes what a values file says beside the overlay that does not build without it. */
export function writeValues(root: string, values: OperatorValues): void {
  const folder = join(root, PROD, 'values');
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(valuesFiles(values))) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The resources of production for a values file, as text; nothing below `root` is written. */
export async function renderProd(
  root: string, values: OperatorValues, kustomize: string,
): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'rastro-values-'));
  try {
    for (const folder of ['infra/kubernetes', 'infra/monitoring']) {
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    }
    writeValues(copy, values);
    const file = join(copy, 'resources.yaml');
    await run(kustomize, ['build', join(copy, PROD), '-o', file], { deadlineMs: BUILD_MS_MAX });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
