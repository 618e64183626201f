import { describe, expect, it } from 'vitest';
import { moduleText } from '../../cluster/programs/kubernetes.ts';

const GO_MOD = `module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
\tgithub.com/spf13/cobra v1.9.1
)

replace (
\tk8s.io/api => ./staging/src/k8s.io/api
\tk8s.io/client-go => ./staging/src/k8s.io/client-go
)
`;

describe('the module that builds Kubernetes', () => {
  it('asks for it with its version of Go, and for its libraries by their own releases', () => {
    expect(moduleText(GO_MOD, 'v1.34.4')).toBe([
      'module rastro.test/kubernetes', '', 'go 1.24.0', 'godebug default=go1.24',
      'require k8s.io/kubernetes v1.34.4', 'replace (', '\tk8s.io/api => k8s.io/api v0.34.4',
      '\tk8s.io/client-go => k8s.io/client-go v0.34.4', ')', '',
    ].join('\n'));
  });
});
