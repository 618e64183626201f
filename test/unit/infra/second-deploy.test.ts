import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../infra/check/resources.ts';
import { refused } from '../../../infra/check/second-deploy.ts';

const run = (image: string): object => ({ template: { spec: { containers: [{ image }] } } });
const made = (kind: string, name: string, spec: object): readonly Resource[] =>
  [{ kind, metadata: { name }, spec } as Resource];

describe('a second deploy', () => {
  it('is refused where a Job of the same name has another image', () => {
    expect(refused(made('Job', 'migrations', run('r:1')), made('Job', 'migrations', run('r:2'))))
      .toEqual(['Job migrations cannot be changed, and has another content']);
  });

  it('is taken where the Job has another name, or where it is the same', () => {
    const first = made('Job', 'migrations-1', run('r:1'));
    expect(refused(first, made('Job', 'migrations-2', run('r:2')))).toEqual([]);
    expect(refused(first, made('Job', 'migrations-1', run('r:1')))).toEqual([]);
  });

  it('may change the Pods of a set and of a Deployment, but not what they claim or select', () => {
    for (const kind of ['StatefulSet', 'Deployment']) {
      const of = (image: string, name: string): readonly Resource[] =>
        made(kind, 'x', { ...run(image), replicas: image.length, selector: { name } });
      expect(refused(of('r:1', 'x'), of('r:22', 'x'))).toEqual([]);
      expect(refused(of('r:1', 'x'), of('r:1', 'y'))).toHaveLength(1);
    }
    const claims = (storage: string): readonly Resource[] =>
      made('StatefulSet', 'x', { volumeClaimTemplates: [{ storage }] });
    expect(refused(claims('1Gi'), claims('2Gi'))).toHaveLength(1);
  });
});
