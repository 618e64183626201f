import { describe, expect, it } from 'vitest';
import type { Container, Resource } from '../../../infra/check/resources.ts';
import { deadlocks } from '../../../infra/check/waves.ts';

const at = (kind: string, name: string, wave: string | undefined, spec: Resource['spec'] = {}): Resource => ({
  kind,
  metadata: {
    name, ...(wave === undefined ? {} : { annotations: { 'argocd.argoproj.io/sync-wave': wave } }),
  },
  spec,
});
const pod = (fields: Container): Resource['spec'] => ({ template: { spec: { containers: [fields] } } });
const reading = pod({ envFrom: [{ configMapRef: { name: 'settings' } }] });
const knowing = pod({ env: [{ name: 'P', valueFrom: { secretKeyRef: { name: 'users', key: 'k' } } }] });

describe('the waves of a GitOps tool', () => {
  it('never end where a Job comes before its settings or its secret', () => {
    expect(deadlocks([at('ConfigMap', 'settings', undefined), at('Job', 'topics', '-2', reading)]))
      .toEqual(['Job topics waits for ConfigMap settings, which comes later']);
    expect(deadlocks([at('ExternalSecret', 'users', '0'), at('Job', 'topics', '-2', knowing)]))
      .toEqual(['Job topics waits for ExternalSecret users, which comes later']);
  });

  it('never end where an autoscaler comes before what it scales', () => {
    const scaler = at('ScaledObject', 'w', undefined, { scaleTargetRef: { name: 'w' } });
    expect(deadlocks([scaler, at('Deployment', 'w', '1')]))
      .toEqual(['ScaledObject w waits for Deployment w, which comes later']);
  });

  it('end where both are of one wave, and where an operator makes the secret', () => {
    expect(deadlocks([at('ConfigMap', 'settings', '1'), at('Job', 'topics', '1', reading)]))
      .toEqual([]);
    expect(deadlocks([at('Job', 'topics', '-2', knowing)])).toEqual([]);
  });
});
