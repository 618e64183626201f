import { describe, expect, it } from 'vitest';
import { httpRoutes, roomOf } from '../../../infra/generate/routes.ts';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { operationsByRoom } from './operations-by-room.ts';

describe('the routes', () => {
  it('bring every operation of the platform to the gateway that has it', () => {
    const wrong = [...operationsByRoom()].filter(([id, room]) => {
      const { method, path } = OPERATIONS[id as keyof typeof OPERATIONS];
      return roomOf(method, path.replaceAll(/\{\w+\}/g, 'x')) !== room;
    });
    expect(wrong).toEqual([]);
  });

  it('keep the platform, the documents and nothing else from the public address', () => {
    interface Rule {
      readonly matches: readonly {
        readonly path: { readonly type: string; readonly value: string };
      }[];
      readonly filters?: readonly unknown[];
    }
    const routes = httpRoutes() as unknown as readonly {
      readonly spec: {
        readonly parentRefs: readonly { readonly name: string }[]; readonly rules: readonly Rule[];
      };
    }[];
    const pathsAt = (gateway: string, isHidden: boolean): readonly string[] => routes
      .filter(({ spec }) => spec.parentRefs.some(({ name }) => name === gateway))
      .flatMap(({ spec }) => spec.rules)
      .filter(({ filters }) => (filters !== undefined) === isHidden)
      .flatMap(({ matches }) => matches.map(({ path }) => (
        path.type === 'Exact' ? `${path.value} alone` : path.value)));
    const apart = [
      '/platform', '/platform/ingest', '/platform/live', '/operator', '/operator/live', '/docs',
      '/openapi.json', '/ alone',
    ];
    // The program behind `/` has them too: each is named, and answered as a path that is not there.
    expect(pathsAt('rastro', true)).toEqual(apart);
    expect(pathsAt('rastro', false).filter((path) => apart.includes(path))).toEqual([]);
    for (const path of ['/', '/console']) expect(pathsAt('rastro', false)).toContain(path);
    expect(pathsAt('rastro-platform', false).toSorted()).toEqual(['/oauth', '/console', ...apart].toSorted());
  });

  it('have the documents answer what no program has', () => {
    expect(roomOf('GET', '/oauthx')).toBe('docs');
    expect(roomOf('GET', '/')).toBe('docs');
    expect(roomOf('DELETE', '/shipping')).toBe('docs');
  });
});
