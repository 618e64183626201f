import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locationsBody } from '../../support/edge.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const DRY = 'dry-run-send-locations';

describe('a dry run', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  it('says that nothing was stored, in its body and in a header', async () => {
    at.admit(DRY);
    const response = await at.call(DRY, { body: locationsBody() });
    expect([response.status, response.headers.get('dry-run'), response.headers.get('ingest-id')])
      .toEqual([200, 'true', null]);
    expect(await response.json()).toMatchObject({
      dry_run: true, stored: false, call_status: 202,
      message: 'Dry run: nothing was stored.',
    });
    expect(at.log.appended).toEqual([]);
  });

  it('that is refused counts as no refusal of the provider, as the call itself does', async () => {
    const refusals = async (): Promise<number> => (
      (await at.edge.metrics()).match(/^rastro_http_refusals_total\{.*"validation_failed".*\} \d+/gm) ?? []
    ).length;
    for (const [id, counted] of [[DRY, 0], ['send-locations', 1]] as const) {
      at.admit(id);
      expect((await at.call(id, { body: {} })).status).toBe(400);
      await expect.poll(refusals).toBe(counted);
    }
  });
});

describe('a call that says that it is no dry run', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  it.each([
    [{ more: '&dry_run=false' }], [{ more: '&dryRun=0' }], [{ headers: { 'x-dry-run': 'False' } }],
    [{ headers: { 'dry-run': 'off' } }],
  ] as const)('is taken: %j', async (wishes) => {
    at.admit('send-locations');
    const response = await at.call('send-locations', { body: locationsBody(), ...wishes });
    expect(response.status).toBe(202);
    expect(at.log.appended).toHaveLength(1);
  });

  it('in words that are not known is refused all the same', async () => {
    at.admit('send-locations');
    const response = await at.call(
      'send-locations', { body: locationsBody(), more: '&dry_run=maybe' },
    );
    expect(response.status).toBe(400);
    expect(at.log.appended).toEqual([]);
  });
});
