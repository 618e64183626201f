import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../../../infra/check/resources.ts';
import { waveOf } from '../../../infra/check/waves.ts';
import { complaintOf } from '../../containers/acts/act.ts';
import type { ControlPlane } from '../control-plane.ts';
import { appliedFrom } from '../overlays.ts';
import { hopelessOf, podsOf, type Pod } from './pods.ts';
import { waitFor } from '../../../infra/local/wait.ts';

/** Where resources are applied. */
export interface WavesGiven {
  readonly plane: ControlPlane;
  /** A folder that may be written. */
  readonly work: string;
}

const APPLY_MS_MAX = 300_000;
const READY_MS_MAX = 600_000;
const ASK_EVERY_MS = 2_000;
/** What an apply is waited for, and when it is there. */
const AWAITED: Readonly<Record<string, (spec: Status) => boolean>> = {
  Job: ({ status }) => (status?.succeeded ?? 0) > 0,
  Deployment: isRolledOut,
  StatefulSet: isRolledOut,
};

/** What a controller says of a resource. */
export interface Status {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number; readonly replicas?: number;
    readonly updatedReplicas?: number; readonly readyReplicas?: number;
    readonly availableReplicas?: number; readonly succeeded?: number;
  };
}

/** Resources by wave, the first one first. */
export function inWaves(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const waves = Map.groupBy(resources, waveOf);
  return [...waves.keys()].toSorted((one, other) => one - other)
    .map((wave) => waves.get(wave) ?? []);
}

/** Applies resources as a GitOps tool does, wave after wave; gives complaints. */
export async function applyWaves(
  resources: readonly Resource[], given: WavesGiven,
): Promise<readonly string[]> {
  for (const wave of inWaves(resources)) {
    const complaints = await applyWave(wave, given);
    if (complaints.length > 0) return complaints;
  }
  return [];
}

async function applyWave(
  wave: readonly Resource[], { plane, work }: WavesGiven,
): Promise<readonly string[]> {
  const file = join(work, 'wave.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: wave }));
  const { complaints } = appliedFrom(await plane.answerOf([
    'apply', '--server-side', '--force-conflicts', '--field-manager', 'rastro', '--filename', file,
  ], APPLY_MS_MAX));
  if (complaints.length > 0) return complaints;
  return awaitAll(plane, wave.filter(({ kind }) => kind in AWAITED)
    .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`));
}

/** Waits until each is there, or until a Pod shows that it never will be. */
export async function awaitAll(
  plane: ControlPlane, names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  let lacking: readonly string[] = names;
  let pods: readonly Pod[] = [];
  return waitFor(async () => {
    const { items } = JSON.parse(await plane.kubectl([
      '--namespace', 'rastro', 'get', ...names, '--output', 'json',
    ]).then((text) => (names.length === 1 ? `{"items":[${text}]}` : text))) as {
      readonly items: readonly Status[];
    };
    lacking = items.filter((item) => AWAITED[item.kind]?.(item) !== true)
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    if (lacking.length > 0) pods = await podsOf(plane);
    return lacking.length === 0;
  }, {
    what: 'Readiness', deadlineMs: READY_MS_MAX, everyMs: ASK_EVERY_MS,
    hopeless: () => pods.map(hopelessOf).find((each) => each !== undefined),
  }).then(() => [], (error: unknown) => [
    `${complaintOf(error)}; not there: ${lacking.join(', ')}`,
  ]);
}

function isRolledOut({ metadata, spec, status = {} }: Status): boolean {
  const wanted = spec.replicas ?? 1;
  return status.observedGeneration === metadata.generation && status.updatedReplicas === wanted
    && status.replicas === wanted && status.readyReplicas === wanted
    && (status.availableReplicas ?? 0) === wanted;
}
