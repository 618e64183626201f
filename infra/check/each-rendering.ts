import type { GateReport } from '../../scripts/check/gate.ts';
import { RENDERINGS } from './rendered.ts';
import { renderedText, resourcesOf, type Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

/** Checks the resources of every rendering; each complaint begins with the name of its overlay. */
export async function eachRendering(
  root: string, { kustomize }: Pick<InfraTools, 'kustomize'>,
  check: (resources: readonly Resource[]) => GateReport,
): Promise<GateReport> {
  const complaints: string[] = [];
  let seen = 0;
  for (const overlay of RENDERINGS) {
    const report = check(resourcesOf(await renderedText(root, overlay, kustomize)));
    seen += report.seen;
    complaints.push(...report.complaints.map((each) => `${overlay} ${each}`));
  }
  return { seen, complaints };
}
