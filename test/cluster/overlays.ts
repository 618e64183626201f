import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OVERLAYS } from '../../infra/check/rendered.ts';
import { renderedText } from '../../infra/check/resources.ts';
import { CHANGES, copyWith } from '../../infra/check/second-deploy.ts';
import type { ControlPlane } from './control-plane.ts';

/** What the API server made of manifests. */
export interface TakenResources {
  /** Resources that it took. */
  readonly taken: number;
  /** What it refused or warned of, in its words. */
  readonly complaints: readonly string[];
}

/** An overlay of `infra/kubernetes/overlays`. */
export type Overlay = (typeof OVERLAYS)[number];

/** Where and with what an overlay is rendered. */
export interface Rendering {
  /** The repository, or a copy of its `infra`. */
  readonly root: string;
  readonly kustomize: string;
  /** A folder that may be written. */
  readonly work: string;
}

/** Jobs have a version in their names (ADR 0075), which has dots; the API server prefers none. */
const EXPECTED_WARNING = /^Warning: metadata\.name: this is used in Pod names and hostnames, .* dots\]$/;
const APPLY_MS_MAX = 600_000;
const NAMED_MAX = 60;

/** Whether a word names an overlay. */
export function isOverlay(name: string): name is Overlay {
  return OVERLAYS.some((overlay) => overlay === name);
}

/** Renders an overlay and applies it as a GitOps tool does, on the server's side. */
export async function applyOverlay(
  { answerOf }: ControlPlane, overlay: Overlay, { root, kustomize, work }: Rendering,
): Promise<TakenResources> {
  mkdirSync(work, { recursive: true });
  const file = join(work, `${overlay}.yaml`);
  writeFileSync(file, await renderedText(root, overlay, kustomize));
  return appliedFrom(await answerOf([
    'apply', '--server-side', '--field-manager', 'rastro', '--filename', file,
  ], APPLY_MS_MAX));
}

/** Applies an overlay once more for each thing that an operator changes between two deploys. */
export async function applyAgain(
  plane: ControlPlane, overlay: Overlay, rendering: Rendering,
): Promise<TakenResources> {
  let taken = 0;
  const complaints: string[] = [];
  for (const { name, pattern, instead } of CHANGES) {
    const copy = copyWith(rendering.root, pattern, instead);
    try {
      const applied = await applyOverlay(plane, overlay, { ...rendering, root: copy });
      taken += applied.taken;
      complaints.push(...applied.complaints.map((complaint) => `${name}: ${complaint}`));
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return { taken, complaints };
}

/** Applies the definitions of all operators, and waits until each is served. */
export async function applyDefinitions(
  { kubectl, answerOf }: ControlPlane, files: readonly string[],
): Promise<TakenResources> {
  const applied = appliedFrom(await answerOf([
    'apply', '--server-side', ...files.flatMap((file) => ['--filename', file]),
  ], APPLY_MS_MAX));
  await kubectl([
    'wait', '--for=condition=Established', 'customresourcedefinitions', '--all', '--timeout=300s',
  ], APPLY_MS_MAX);
  return applied;
}

/** Reads what kubectl printed: a line for each resource, and what was wrong. */
export function appliedFrom(output: string): TakenResources {
  const lines = output.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const taken = lines.filter((line) => line.endsWith(' serverside-applied'));
  return {
    taken: taken.length,
    complaints: lines.filter((line) => !taken.includes(line) && !EXPECTED_WARNING.test(line))
      .slice(0, NAMED_MAX),
  };
}
