import type { ControlPlane } from '../control-plane.ts';

/** A Pod of the product or of a part, as far as acts need to know it. */
export interface Pod {
  readonly name: string;
  /** What it is a Pod of, such as `ingest`. */
  readonly app: string;
  readonly uid: string;
  readonly image: string;
  /** Where it runs; empty before a node was chosen. */
  readonly node: string;
  readonly address: string;
  readonly isReady: boolean;
  readonly isJob: boolean;
  /** True once it is asked to end. */
  readonly isLeaving: boolean;
  readonly restarts: number;
  /** The id of its only container for the runtime; empty before it started. */
  readonly container: string;
  /** Why its container does not run, in the words of the kubelet; empty when it does. */
  readonly waits: string;
}

interface Given {
  readonly metadata: {
    readonly name: string; readonly uid: string; readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly nodeName?: string; readonly containers: readonly { readonly image: string }[];
  };
  readonly status?: {
    readonly podIP?: string;
    readonly containerStatuses?: readonly {
      readonly ready: boolean; readonly restartCount: number; readonly containerID?: string;
      readonly state: { readonly waiting?: { readonly reason: string; readonly message?: string } };
    }[];
  };
}

/** Reasons that no waiting mends. */
const NEVER = /^(ErrImage|ImagePull|InvalidImageName|CreateContainerConfigError|RunContainerError)/;
const RESTARTS_MAX = 3;

/** The Pods of a namespace; of the product and its parts when none is named. */
export async function podsOf(
  { kubectl }: Pick<ControlPlane, 'kubectl'>, namespace = 'rastro',
): Promise<readonly Pod[]> {
  const text = await kubectl(['--namespace', namespace, 'get', 'pods', '--output', 'json']);
  return (JSON.parse(text) as { readonly items: readonly Given[] }).items.map(podFrom);
}

/** A Pod from what the API server says of it. */
export function podFrom({ metadata, spec, status }: Given): Pod {
  const [container] = status?.containerStatuses ?? [];
  const { reason = '', message = '' } = container?.state.waiting ?? {};
  const labels = metadata.labels ?? {};
  return {
    name: metadata.name, uid: metadata.uid, app: labels['app.kubernetes.io/name'] ?? '',
    image: spec.containers[0]?.image ?? '', node: spec.nodeName ?? '',
    address: status?.podIP ?? '', isReady: container?.ready === true,
    isJob: labels['app.kubernetes.io/component'] === 'job',
    isLeaving: metadata.deletionTimestamp !== undefined, restarts: container?.restartCount ?? 0,
    container: (container?.containerID ?? '').replace(/^containerd:\/\//, ''),
    waits: [reason, message].filter((text) => text !== '').join(': '),
  };
}

/** Why a Pod will never be ready; undefined as long as it may be. */
export function hopelessOf({ name, waits, restarts }: Pod): string | undefined {
  const isBroken = NEVER.test(waits) || (waits.startsWith('CrashLoop') && restarts >= RESTARTS_MAX);
  return isBroken ? `${name} waits forever: ${waits}` : undefined;
}

/**
 * Restarts, and Pods that are others than before, of what an act did not touch: nothing may
 * start again because something else went.
 */
export function unexpectedStarts(
  before: readonly Pod[], after: readonly Pod[], touched: (app: string) => boolean,
): readonly string[] {
  const known = new Map(before.map((pod) => [pod.uid, pod]));
  return after.filter(({ app, isJob }) => !isJob && !touched(app)).flatMap((pod) => {
    const was = known.get(pod.uid);
    if (was === undefined) return [`${pod.name} is new, and the act did not touch ${pod.app}`];
    const more = pod.restarts - was.restarts;
    return more === 0 ? [] : [`${pod.name} started again, ${more} times`];
  });
}
