import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../infra/local/command.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { Keda } from '../programs/keda.ts';
import type { ProductStage } from '../product/place.ts';
import { hopelessOf, podsOf, type Pod } from '../product/pods.ts';
import { quantity, type ScaledObject } from './scaled-object.ts';

/** KEDA in a cluster, with the autoscalers of our workers. */
export interface ClusterKeda {
  /** Installs it by its own manifests, then the autoscalers once it can be asked for figures. */
  readonly install: () => Promise<void>;
  /** Takes all of it away, whatever of it is there. */
  readonly remove: () => Promise<void>;
  readonly scaledObjects: () => Promise<readonly ScaledObject[]>;
  readonly scaledObject: (name: string) => Promise<ScaledObject>;
  /** A figure of an autoscaler, by the API from which Kubernetes has it. */
  readonly figure: (scaledObject: string, name: string) => Promise<number>;
}

const MANIFESTS = 'test/cluster/autoscaling/manifests';
const API = 'v1beta1.external.metrics.k8s.io';
/** Operator and metrics adapter. */
const PODS = 2;
const COMMAND_MS_MAX = 300_000;
const READY_MS_MAX = 600_000;

/** Renders what it applies: KEDA's own manifests, and our autoscalers for two cores. */
export async function openKeda(
  stage: ProductStage, { manifests }: Pick<Keda, 'manifests'>,
): Promise<ClusterKeda> {
  const { plane } = await stage.cluster();
  const folder = join(stage.folder, 'keda');
  mkdirSync(folder, { recursive: true });
  cpSync(join(stage.copy, MANIFESTS, 'keda'), folder, { recursive: true });
  cpSync(manifests, join(folder, 'config'), { recursive: true });
  const keda = await render(stage, folder, 'keda.yaml');
  const scaled = await render(stage, join(stage.copy, MANIFESTS, 'scaled'), 'scaled.yaml');
  const get = async <Answer>(...words: readonly string[]): Promise<Answer> => JSON.parse(
    await plane.kubectl(['--namespace', 'rastro', 'get', ...words, '--output', 'json']),
  ) as Answer;
  return {
    async install() {
      await apply(plane, keda);
      await untilReady(plane);
      await apply(plane, scaled);
    },
    async remove() {
      const away = (...words: readonly string[]): Promise<string> => (
        plane.answerOf(['delete', '--ignore-not-found', ...words], COMMAND_MS_MAX));
      // Its operator lets autoscalers go; an API that no one serves would keep its namespace.
      await away('--filename', scaled);
      await away('apiservice', API);
      await away('--filename', keda);
    },
    scaledObjects: async () => (
      await get<{ readonly items: readonly ScaledObject[] }>('scaledobjects')).items,
    scaledObject: (name) => get<ScaledObject>('scaledobject', name),
    async figure(scaledObject, name) {
      const said = JSON.parse(await plane.kubectl(['get', '--raw', figurePath(scaledObject, name)])) as {
        readonly items: readonly { readonly value: string }[];
      };
      return quantity(said.items[0]?.value ?? '');
    },
  };
}

/** Where the API server has a figure of an autoscaler. */
function figurePath(scaledObject: string, name: string): string {
  const selector = encodeURIComponent(`scaledobject.keda.sh/name=${scaledObject}`);
  return `/apis/external.metrics.k8s.io/v1beta1/namespaces/rastro/${name}?labelSelector=${selector}`;
}

async function render(
  { kustomize, folder }: ProductStage, path: string, name: string,
): Promise<string> {
  const file = join(folder, name);
  await run(kustomize, [
    'build', '--load-restrictor', 'LoadRestrictionsNone', path, '-o', file,
  ], { deadlineMs: COMMAND_MS_MAX });
  return file;
}

async function apply({ kubectl }: ControlPlane, file: string): Promise<void> {
  await kubectl([
    'apply', '--server-side', '--force-conflicts', '--field-manager', 'rastro', '--filename', file,
  ], COMMAND_MS_MAX);
}

async function untilReady(plane: ControlPlane): Promise<void> {
  let pods: readonly Pod[] = [];
  await waitFor(async () => {
    pods = await podsOf(plane, 'keda');
    const api = await plane.kubectl([
      'get', 'apiservice', API, '--output', 'jsonpath={.status.conditions[?(@.type=="Available")].status}',
    ]);
    return api === 'True' && pods.length === PODS && pods.every(({ isReady }) => isReady);
  }, {
    what: 'KEDA', deadlineMs: READY_MS_MAX, everyMs: 2_000,
    hopeless: () => pods.map(hopelessOf).find((each) => each !== undefined),
  });
}
