import { describe, expect, it } from 'vitest';
import { createTenantReads } from '../../../services/gateways/common/tenant-slots.ts';
import type { Answer } from '../../../services/kernel/http.ts';

const OK: Answer = { kind: 'answer', status: 200, body: {} };
const answered = async (): Promise<Answer> => OK;

describe('long reads of one tenant', () => {
  it('are refused after 3 s behind another one, before the call ends as an outage', async () => {
    const pauses: { milliseconds: number; end(): void }[] = [];
    const read = createTenantReads('pages', async (milliseconds) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      pauses.push({ milliseconds, end: () => { resolve(undefined); } });
      await promise;
    });
    const first = Promise.withResolvers<Answer>();
    const [one, two, three] = [
      read('own', () => first.promise), read('own', answered), read('own', answered),
    ];
    pauses[1]?.end();
    expect(await two).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    expect(pauses[1]?.milliseconds).toBe(3_000);
    expect(await read('other', answered)).toBe(OK);
    first.resolve(OK);
    expect(await Promise.all([one, three])).toEqual([OK, OK]);
    expect(await read('own', answered)).toBe(OK);
  });
});
