import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import warningShape from '../../../schemas/shapes/warning.json' with { type: 'json' };
import { WARNINGS, type Warning } from '../../../services/kernel/warnings.ts';
import { dryRunOf } from '../../support/dry-runs.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';
import { changed } from '../errors/change-body.ts';
import { goodBody, WARNED, type WarnedBody } from './examples.ts';
import { codesWithout, warningsPage, type SaidWarning } from './page.ts';

let at: WholeEdge;
beforeAll(async () => { at = await openWholeEdge(); });
afterAll(() => at.close());

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

async function warningsOf(to: string, body: unknown): Promise<readonly Warning[]> {
  at.admit(dryRunOf(to));
  const response = await at.call(dryRunOf(to), { body });
  const { warnings } = await response.json() as { warnings: readonly Warning[] };
  return warnings;
}

function wrongBody({ to, set, drop = [] }: WarnedBody): unknown {
  const now = nowSeconds();
  return changed(goodBody(to, now), set(now), drop);
}

describe('warnings', () => {
  it.each(['send-locations', 'send-telemetry-events', 'push-notifications'])(
    'are none for a good body of %s', async (to) => {
      expect(await warningsOf(to, goodBody(to, nowSeconds()))).toEqual([]);
    },
  );

  it.each(WARNED.map((each) => [each.code, each.mistake, each] as const))(
    'are %s alone for %s', async (code, _mistake, each) => {
      const found = await warningsOf(each.to, wrongBody(each));
      expect(found.map((one) => `${one.code} ${one.pointer}`)).toEqual([`${code} ${each.at}`]);
    },
  );

  it('are refused by no call', async () => {
    for (const each of WARNED) {
      at.admit(each.to);
      expect((await at.call(each.to, { body: wrongBody(each) })).status, each.mistake).toBe(202);
    }
  });

  it('have a closed list of codes, each with an example, as the schema has it', () => {
    expect(codesWithout(WARNED)).toEqual([]);
    expect(warningShape.properties.code.enum).toEqual(Object.keys(WARNINGS));
  });

  it('list four of a code, and count all', async () => {
    const body = goodBody('send-locations', nowSeconds()) as { locations: object[] };
    const all = { ...body, locations: body.locations.map((fix) => ({ ...fix, bearing: -1 })) };
    at.admit('dry-run-send-locations');
    const answer = await (await at.call('dry-run-send-locations', { body: all })).json();
    expect(answer).toMatchObject({ warnings_found: 5 });
    expect((answer as { warnings: unknown[] }).warnings).toHaveLength(4);
  });

  it('are the page of the reference', async () => {
    const said: SaidWarning[] = [];
    for (const body of WARNED) {
      const [first] = await warningsOf(body.to, wrongBody(body));
      said.push({ body, message: first?.message ?? '' });
    }
    await expect(warningsPage(said))
      .toMatchFileSnapshot(`${import.meta.dirname}/../../../docs/reference/warnings.md`);
  });
});
