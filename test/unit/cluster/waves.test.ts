import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../infra/check/resources.ts';
import { inWaves } from '../../cluster/product/waves.ts';

function resource(name: string, wave?: string): Resource {
  return {
    kind: 'Job',
    metadata: {
      name, ...(wave === undefined ? {} : { annotations: { 'argocd.argoproj.io/sync-wave': wave } }),
    },
  };
}

describe('the waves of resources', () => {
  it('come in order of their numbers, those without one as 0', () => {
    const waves = inWaves([
      resource('gateways', '4'), resource('settings'), resource('topics', '1'), resource('early', '-1'),
    ]);
    expect(waves.map((wave) => wave.map(({ metadata }) => metadata.name)))
      .toEqual([['early'], ['settings'], ['topics'], ['gateways']]);
  });
});
