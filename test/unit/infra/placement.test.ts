import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { gatewayProcesses, workerProcesses } from '../../../infra/generate/processes.ts';
import { workload } from '../../../infra/generate/workload.ts';

const read = (path: string): unknown =>
  parse(readFileSync(join(process.cwd(), 'infra/kubernetes', path), 'utf8'));

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly minReadySeconds?: number;
    readonly template: { readonly spec: { readonly priorityClassName?: string } };
  };
}

function deploymentOf(process: ReturnType<typeof gatewayProcesses>[number]): Deployment {
  const all = workload(process, false) as unknown as readonly Deployment[];
  return all.find(({ kind }) => kind === 'Deployment') as Deployment;
}

describe('the Pods of a cluster', () => {
  it('are kept on a full node where a caller would lose something', () => {
    const { kind, metadata } = read('base/priority.yaml') as {
      readonly kind: string; readonly metadata: { readonly name: string };
    };
    expect(kind).toBe('PriorityClass');
    const classes = (of: typeof gatewayProcesses): readonly (string | undefined)[] =>
      of().map((process) => deploymentOf(process).spec.template.spec.priorityClassName);
    expect(new Set(classes(gatewayProcesses))).toEqual(new Set([metadata.name]));
    expect(new Set(classes(workerProcesses))).toEqual(new Set([undefined]));
  });

  it('stop a rollout when they end soon after they began', () => {
    for (const process of [...gatewayProcesses(), ...workerProcesses()]) {
      expect(deploymentOf(process).spec.minReadySeconds).toBeGreaterThanOrEqual(10);
    }
  });

  it('are replaced when a secret of theirs changes in the store, where Reloader is', () => {
    const { patches } = read('components/external-secrets/kustomization.yaml') as {
      readonly patches: readonly [{ readonly target: object; readonly patch: string }];
    };
    expect(patches[0].target)
      .toEqual({ kind: 'Deployment', labelSelector: 'app.kubernetes.io/part-of=rastro' });
    expect(parse(patches[0].patch)).toEqual([{
      op: 'add', path: '/metadata/annotations/secret.reloader.stakater.com~1auto', value: 'true',
    }]);
  });

  it('of ClickHouse are never drained both at a time', () => {
    const { spec } = read('components/clickhouse-replica/disruption.yaml') as {
      readonly spec: {
        readonly maxUnavailable: number;
        readonly selector: { readonly matchExpressions: readonly [{ readonly values: string[] }] };
      };
    };
    expect(spec.maxUnavailable).toBe(1);
    expect(spec.selector.matchExpressions[0].values).toEqual(['clickhouse', 'clickhouse-b']);
  });
});
