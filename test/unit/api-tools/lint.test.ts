import { describe, expect, it } from 'vitest';
import { lintApi } from '../../../scripts/lint-api/lint.ts';

const LINT_MS_MAX = 30_000;
const INFO = { title: 'small', version: '1', description: 'For a test.' };

describe('the lint of the API documents', () => {
  it('finds what is open, unlimited or broken, and an excuse that is not needed', async () => {
    const openapi = JSON.stringify({
      openapi: '3.1.0', info: INFO, paths: {
        '/things': {
          post: {
            operationId: 'thing', tags: ['t'], summary: 'x', description: 'x',
            responses: { 202: { description: 'x' } },
          },
        },
      },
      components: { schemas: { Count: { type: 'integer' } } },
    });
    const asyncapi = JSON.stringify({
      asyncapi: '3.0.0', info: INFO, channels: {},
      operations: { read: { action: 'receive', channel: { $ref: '#/channels/gone' } } },
    });
    const { seen, complaints } = await lintApi({ openapi, asyncapi });
    expect(seen).toBe(2);
    const text = complaints.join('\n');
    expect(text).toMatch(/api2:2023-write-restricted \/paths\/\/things\/post/);
    expect(text).toMatch(/api4:2023-integer-limit \/components\/schemas\/Count/);
    expect(text).toMatch(/invalid-ref \/operations\/read\/channel/);
    expect(text).toMatch(/nothing needs the excuse from owasp:api2:2023-no-http-basic/);
  }, LINT_MS_MAX);
});
