import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { bundleOf } from '../../../schemas/bundles.ts';
import {
  DOCUMENTED, exampleCall, exampleOfAnswer, type ExampleWishes,
} from '../../support/documented-answers.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';
import { produceAnswer } from './produce-answers.ts';

/** Its examples are those of a provider, which answers it. */
const SERVED_ELSEWHERE = 'provider-command';

/** Members that no call makes others. */
const SAME = ['status', 'message', 'state', 'tries', 'token_type', 'expires_in'];

type Body = Readonly<Record<string, unknown>>;

/** What the example of 400 shows: the first mandatory member of the body, or the country, lacks. */
function lacking(id: string): ExampleWishes | undefined {
  const { request, params } = OPERATIONS[id as keyof typeof OPERATIONS];
  if (request === null) {
    return (params as readonly string[]).includes('country_id') ? { params: { country_id: null } } : undefined;
  }
  const { oneOf, required } = bundleOf(request.schema) as {
    readonly oneOf?: readonly [{ readonly required: readonly string[] }];
    readonly required?: readonly string[];
  };
  const [first] = oneOf?.[0].required ?? required ?? [];
  if (first === undefined) return undefined;
  const { [first]: _missing, ...body } = exampleCall(id).body as Body;
  return { body };
}

async function badCall(at: WholeEdge, id: string, status: number): Promise<Response> {
  const wishes = status === 400 ? lacking(id) : undefined;
  if (wishes !== undefined) return at.call(id, wishes);
  return await produceAnswer(id, status)?.(at, id) as Response;
}

/** An answer without the ids of its call. */
function withoutIds(answer: unknown): Body {
  const { instance: _instance, request_id: _id, ...rest } = answer as Body;
  return rest;
}

describe('every example of an error in the OpenAPI document', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  const errors = DOCUMENTED.filter(({ id, status }) => id !== SERVED_ELSEWHERE && status >= 400);

  it.each(errors.map(({ id, status }) => [id, status] as const))(
    'is what %s answers with %i', async (id, status) => {
      at.admit(id);
      const response = await badCall(at, id, status);
      expect(response.status).toBe(status);
      expect(withoutIds(exampleOfAnswer(id, status))).toEqual(withoutIds(await response.json()));
    },
  );
});

describe('every example of a request in the OpenAPI document', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  const good = DOCUMENTED.filter(({ id, status }) => id !== SERVED_ELSEWHERE && status < 300
    && OPERATIONS[id as keyof typeof OPERATIONS].request !== null);

  it.each(good.map(({ id, status }) => [id, status] as const))(
    'is what %s takes and answers with %i, with the members of its example', async (id, status) => {
      at.admit(id);
      const response = await produceAnswer(id, status)?.(at, id) as Response;
      expect(response.status).toBe(status);
      const shown = exampleOfAnswer(id, status) as Body;
      const answered = await response.json() as Body;
      expect(Object.keys(answered)).toEqual(Object.keys(shown));
      for (const name of SAME.filter((each) => each in shown)) {
        expect(answered[name], name).toBe(shown[name]);
      }
    },
  );
});
