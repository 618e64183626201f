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
});
