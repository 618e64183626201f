import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { readSession } from '../../../services/kernel/sessions.ts';
import type { Mutate } from './all-gateways.ts';
import { forge, type Forged } from './forge.ts';

const FORGE_MS_MAX = 120_000;

/** What no session has a token for: a call there proves itself by other means. */
const WITHOUT_SESSIONS = ['issue-token', 'revoke-token', 'open-session'];

/** Ends a session as code does that reads the cookie and forgets where the call is from. */
const readsCookies: Mutate = (all) => all.map((each): Operation => (
  each.id === 'end-session' ? {
    id: each.id, method: 'POST', path: each.path, authentication: 'none', bodyKind: 'none',
    bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
    async handle({ header }) {
      return readSession(header('cookie'), header('host')).size > 0
        ? { kind: 'answer', status: 200, body: { status: 'OK' } }
        : { kind: 'refusal', code: 'invalid_token', detail: 'There is no session.' };
    },
  } : each));

describe('the cookie of a session', () => {
  let forged: Forged;
  beforeAll(async () => { forged = await forge(); }, FORGE_MS_MAX);

  it('is tried at every route that is not only read, of the catalog and of the console', () => {
    const catalog = Object.values(OPERATIONS)
      .filter(({ id, method }) => (method as string) !== 'GET' && id !== 'provider-command')
      .map(({ id }) => id);
    expect(forged.operations.toSorted())
      .toEqual([...catalog, 'open-session', 'end-session'].toSorted());
  });

  it('counts at each of them for a page of this address, but where no session has a token', () => {
    const without = forged.operations.filter((id) => !forged.ofOurs.includes(id))
      .filter((id) => !WITHOUT_SESSIONS.some((each) => id === each || id === `dry-run-${each}`));
    expect(without).toEqual([]);
  });

  it('counts at none of them without an Origin that is this address, or by another site', () => {
    expect(forged.ofOthers).toEqual([]);
    expect(forged.appended).toBe(0);
  });

  it('would be found to count at a route that reads it and forgets where the call is from', async () => {
    expect((await forge(readsCookies)).ofOthers).toEqual(['end-session']);
  }, FORGE_MS_MAX);
});
