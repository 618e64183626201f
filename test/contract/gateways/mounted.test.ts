import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import openapi from '../../../schemas/generated/openapi.json' with { type: 'json' };
import { fromCatalog } from '../../../services/gateways/common/catalog.ts';
import { everyOperation, everyRoute } from '../../support/every-operation.ts';

/** What the catalog describes and another deployable serves. */
const SERVED_ELSEWHERE = new Set(['provider-command']);

const operations = everyOperation();
const rows = Object.values(OPERATIONS);
const written = (path: string): string => path.replaceAll(/:([a-z_]+)/g, '{$1}');

describe('the routes of all rooms', () => {
  it('are those of the OpenAPI document, and no others', () => {
    const documented = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method === 'get' || method === 'post')
        .map(([method, { operationId }]: [string, { operationId: string }]) => (
          { operationId, route: `${method.toUpperCase()} ${path}` }
        )));
    const routes = everyRoute();
    expect(new Set(routes).size).toBe(routes.length);
    expect(routes.toSorted()).toEqual(documented
      .filter(({ operationId }) => !SERVED_ELSEWHERE.has(operationId))
      .map(({ route }) => route).toSorted());
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '[GEN-28] %s is open to the rights that its document names, with its limits',
    (_id, operation) => {
      const { method, path, authentication, audience, scope, platformScope, ...rest } = operation;
      const row = rows.find((each) => each.path === written(path) && each.method === method);
      const { bodyKind, bodySchema, bodyBytesMax, needsCountry } = rest;
      const limits = bodyKind === 'none' ? { bodyBytesMax: 0 } : { bodySchema, bodyBytesMax };
      expect({
        id: row?.id, method, path: written(path), authentication, bodyKind, ...limits, needsCountry,
        ...(authentication === 'bearer' ? { audience, scope } : {}),
        ...(platformScope === undefined ? {} : { platformScope }),
      }).toEqual(row && fromCatalog(row.id));
    },
  );

  it('[GEN-28] are closed without a token, but for tokens and documentation', () => {
    const open = operations.filter(({ authentication }) => authentication !== 'bearer');
    expect(open.map(({ id, authentication }) => [id, authentication]).toSorted()).toEqual([
      ['dry-run-issue-token', 'basic'], ['issue-token', 'basic'], ['show-docs', 'none'], ['show-interface', 'none'],
      ['show-openapi', 'none'], ['show-problem', 'none'],
    ]);
    for (const operation of operations) {
      if (operation.authentication !== 'bearer') continue;
      expect(operation.audience, operation.id).toMatch(/^[a-z-]+$/);
      expect(operation.scope, operation.id).toMatch(/^([a-z]+(:[a-z]+)?|any)$/);
    }
  });
});
