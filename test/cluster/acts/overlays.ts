import { edit, type TextEdit } from '../../containers/product.ts';
import type { Act, ActFinding, SeededOffence } from '../../containers/acts/act.ts';
import { applyAgain, applyOverlay, type Overlay } from '../overlays.ts';
import type { ClusterStage } from './act-place.ts';

const BASE = 'infra/kubernetes/base';
const PARTS = 'infra/kubernetes/components';

/** The first deploy of an overlay, then one with another version and one with another setting. */
export function overlayActs(overlay: Overlay): readonly Act<ClusterStage>[] {
  return [
    {
      name: overlay,
      does: `the API server takes every resource of overlays/${overlay}`,
      async run(stage) {
        // Fresh: what an earlier try left would be taken as it is.
        await stage.close();
        const applied = await applyOverlay(await stage.plane(overlay), overlay, stage.rendering);
        return {
          seen: `${applied.taken} resources taken`,
          complaints: noneTaken(applied.taken, applied.complaints),
        };
      },
      offences: OFFENCES[overlay],
    },
    {
      name: `${overlay}-again`,
      does: `it takes overlays/${overlay} again with another version, and with another setting`,
      run: (stage) => again(stage, overlay),
      offences: [seeded('a Job has one name in all versions', {
        file: `infra/kubernetes/overlays/${overlay}/kustomization.yaml`,
        text: '  - ../../jobs-by-version\n', instead: '',
      }, /Job.*"rastro-[a-z-]+" is invalid: .*immutable/)],
    },
  ];
}

const OFFENCES: Readonly<Record<Overlay, readonly SeededOffence<ClusterStage>[]>> = {
  dev: [
    seeded('a field of a Deployment is misspelt', {
      file: `${BASE}/generated/control.yaml`, text: 'imagePullPolicy', instead: 'pullPolicy',
    }, /pullPolicy/),
    seeded('a topic has half a partition', {
      file: `${PARTS}/strimzi/generated/topics.yaml`, text: 'partitions: 12', instead: 'partitions: 0',
    }, /KafkaTopic.*spec\.partitions/),
  ],
  prod: [
    seeded('an autoscaler is misspelt', {
      file: `${PARTS}/keda/generated/scaled-objects.yaml`, text: 'minReplicaCount', instead: 'minReplicas',
    }, /minReplicas/),
    seeded('a route has another kind of path', {
      file: `${PARTS}/gateway-api/generated/routes.yaml`, text: 'PathPrefix', instead: 'Prefix',
    }, /HTTPRoute.*Unsupported value: "Prefix"/),
  ],
};

/** The overlay is there first, as it is. */
async function again(stage: ClusterStage, overlay: Overlay): Promise<ActFinding> {
  await stage.close();
  const plane = await stage.plane(overlay);
  const first = await applyOverlay(plane, overlay, stage.rendering);
  const applied = await applyAgain(plane, overlay, stage.rendering);
  const jobs = (await plane.kubectl([
    '--namespace', 'rastro', 'get', 'jobs', '--output', 'name',
  ])).trim().split('\n').map((line) => line.replace('job.batch/', ''));
  return {
    seen: `${applied.taken} resources taken; Jobs ${jobs.join(', ')}`,
    complaints: noneTaken(applied.taken, [...first.complaints, ...applied.complaints]),
  };
}

function noneTaken(taken: number, complaints: readonly string[]): readonly string[] {
  return taken === 0 ? [...complaints, 'nothing was taken'] : complaints;
}

function seeded(name: string, change: TextEdit, said: RegExp): SeededOffence<ClusterStage> {
  return {
    name, said,
    seed: ({ rendering }) => Promise.resolve(edit(rendering.root, change)),
  };
}
