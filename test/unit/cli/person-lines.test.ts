import { describe, expect, it } from 'vitest';
import { recordLines } from '../../../services/cli/person/lines.ts';
import { PLAIN } from '../../../services/cli/print/display.ts';
import { printed } from '../../../services/cli/print/print.ts';

const RECORD = {
  topic: 'shipments.authorizations.v1', partition: 3, offset: '17', logged_at_ms: 1_700_000_000_000,
  fact: {
    type: 'ShipmentCancelled', at_ms: 1_700_000_000_000, reason: 'Ana Souza moved',
    data: { receiver: { name: 'João', phones: [] }, pages: 2 },
  },
};

describe('records about a person, for people', () => {
  it('have a member a line, by the way to it and without JSON', () => {
    const text = printed(recordLines([RECORD, RECORD]), PLAIN);
    const one = [
      '', 'ShipmentCancelled, 2023-11-14T22:13:20.000Z, shipments.authorizations.v1:3:17',
      '  at                    2023-11-14T22:13:20.000Z',
      '  reason                Ana Souza moved',
      '  data.receiver.name    João',
      '  data.receiver.phones  []',
      '  data.pages            2',
    ];
    expect(text).toEqual([...one, ...one]);
  });
});
