import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { GateReport } from '../../scripts/check/gate.ts';
import { RENDERINGS } from './rendered.ts';
import { renderedText, resourcesOf, type Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

/** What an operator changes between two deploys, as texts of the manifests. */
export const CHANGES = [
  { name: 'another version', pattern: /\b(rastro:|version: "?)0\.1\.0\b/g, instead: '$10.1.1' },
  { name: 'another setting', pattern: /(RASTRO_DRAIN_MS_MAX=)\d+/g, instead: '$114000' },
] as const;

/** Fields of a StatefulSet that may change; the API server refuses any other. */
const FREE_OF_SETS = [
  'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
];

/** A cluster that has an overlay takes it again, with another version or another setting. */
export async function checkSecondDeploy(
  root: string, { kustomize }: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  const complaints: string[] = [];
  let seen = 0;
  for (const overlay of RENDERINGS) {
    const first = resourcesOf(await renderedText(root, overlay, kustomize));
    seen += first.length;
    for (const { name, pattern, instead } of CHANGES) {
      const copy = copyWith(root, pattern, instead);
      try {
        const second = resourcesOf(await renderedText(copy, overlay, kustomize));
        if (isDeepStrictEqual(first, second)) complaints.push(`${overlay} has no ${name} to try`);
        complaints.push(...refused(first, second).map((each) => `${overlay}, ${name}: ${each}`));
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    }
  }
  return { seen, complaints };
}

/** A copy of `infra` in which a text of the manifests is another one. */
export function copyWith(root: string, pattern: RegExp, instead: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'rastro-second-'));
  cpSync(join(root, 'infra'), join(copy, 'infra'), { recursive: true });
  const folder = join(copy, 'infra/kubernetes');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.yaml')) continue;
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, instead));
  }
  return copy;
}

/** Resources of the second deploy that the API server refuses, as the first one left them. */
export function refused(
  first: readonly Resource[], second: readonly Resource[],
): readonly string[] {
  const nameOf = ({ kind, metadata }: Resource): string => `${kind} ${metadata.name}`;
  const before = new Map(first.map((each) => [nameOf(each), each]));
  return second.filter((after) => {
    const one = before.get(nameOf(after));
    return one !== undefined && !isDeepStrictEqual(fixedOf(one), fixedOf(after));
  }).map((after) => `${nameOf(after)} cannot be changed, and has another content`);
}

/** What of a resource is fixed for good once it is there. */
function fixedOf({ kind, spec = {} }: Resource): unknown {
  if (kind === 'Job') return [spec.template, spec['selector'], spec['completions']];
  if (kind === 'Deployment') return spec['selector'];
  if (kind !== 'StatefulSet') return undefined;
  return Object.entries(spec).filter(([field]) => !FREE_OF_SETS.includes(field));
}
