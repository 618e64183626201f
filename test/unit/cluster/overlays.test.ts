import { describe, expect, it } from 'vitest';
import { appliedFrom, isOverlay } from '../../cluster/overlays.ts';

describe('what the API server made of manifests', () => {
  it('is a number of resources when it took all', () => {
    expect(appliedFrom('namespace/rastro serverside-applied\njob.batch/x serverside-applied\n'))
      .toEqual({ taken: 2, complaints: [] });
  });

  it('has what was refused and what was warned of, beside what was taken', () => {
    const { taken, complaints } = appliedFrom([
      'Warning: would violate PodSecurity "restricted:latest"',
      'namespace/rastro serverside-applied', '',
      'The Job "rastro-topics" is invalid: spec.template: field is immutable',
    ].join('\n'));
    expect(taken).toBe(1);
    expect(complaints).toEqual([
      'Warning: would violate PodSecurity "restricted:latest"',
      'The Job "rastro-topics" is invalid: spec.template: field is immutable',
    ]);
  });

  it('expects the warning about versions in the names of Jobs', () => {
    expect(appliedFrom('Warning: metadata.name: this is used in Pod names and hostnames, which can'
      + ' result in surprising behavior; a DNS label is recommended: [must not contain dots]\n'
      + 'job.batch/rastro-topics-0.1.0 serverside-applied')).toEqual({ taken: 1, complaints: [] });
  });

  it('is a complaint when there was nothing to take', () => {
    expect(appliedFrom('error: no objects passed to apply')).toEqual({
      taken: 0, complaints: ['error: no objects passed to apply'],
    });
  });
});

describe('an overlay', () => {
  it('is one that is shipped', () => {
    expect(['dev', 'prod', 'test'].filter(isOverlay)).toEqual(['dev', 'prod']);
  });
});
