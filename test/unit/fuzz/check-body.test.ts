import { describe, expect, it } from 'vitest';
import { problemOf } from '../../support/every-body/check-body.ts';
import type { StoredRecord } from '../../support/every-body/edge.ts';

const recordOf = (json: string, opened?: unknown, key = 'key'): StoredRecord => (
  { topic: 'topic', key, json, opened }
);

const accepted = (
  id: string, body: string, stored: readonly StoredRecord[],
): string | undefined => problemOf(id, Buffer.from(body), { status: 202, text: '{}', stored });

describe('the check of what a body led to', () => {
  it('has nothing against a refusal that left nothing', () => {
    const refused = { status: 400, text: '{"a":1}', stored: [] };
    expect(problemOf('send-locations', Buffer.from('x'), refused)).toBeUndefined();
  });

  it.each<[string, number, string, readonly StoredRecord[], string]>([
    ['a 5xx', 500, '{}', [], 'answered 500'],
    ['no answer', 0, 'gone', [], 'answered 0'],
    ['an answer that is no JSON', 400, '<html>', [], 'no JSON'],
    ['a refusal that left a record', 400, '{}', [recordOf('{}')], 'and left 1 records'],
    ['an acceptance that left none', 202, '{}', [], 'left no record'],
    ['an acceptance that left two', 202, '{}', [recordOf('{}'), recordOf('{}')], 'left 2 records'],
  ])('names %s', (_, status, text, stored, fault) => {
    expect(problemOf('send-locations', Buffer.from('{}'), { status, text, stored })).toContain(fault);
  });

  it.each<[string, string, string | undefined]>([
    ['{"a":"x","b":1.50}', '{"a":"x","b":1.5}', undefined],
    ['{"a":"\\u0041"}', '{"a":"A"}', undefined],
    ['{ "a" : 1e3 }', '{"a":1000}', undefined],
    ['{"__proto__":1}', '{"__proto__":1}', undefined],
    ['{"a":"x "}', '{"a":"x"}', 'changed the body'],
    ['{"a":-1}', '{"a":1}', 'changed the body'],
    ['{"a":1,"b":2}', '{"a":1}', 'changed the body'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', 'changed the body'],
    ['{"a":1,"a":2}', '{"a":2}', 'a name that stands twice'],
    ['{"a":9007199254740993}', '{"a":9007199254740992}', 'changed the body'],
    ['{"a":[9223372036854775807]}', '{"a":["9223372036854775807"]}', undefined],
    ['{"a":9223372036854775808}', '{"a":"9223372036854775808"}', 'no double holds'],
    ['{"a":9.007199254740993e15}', '{"a":9007199254740992}', 'no double holds'],
    ['{"a":1}}', '{"a":1}', 'no JSON'],
  ])('compares bytes: %s kept as %s: %s', (body, kept, fault) => {
    const found = accepted('send-locations', body, [recordOf(kept)]);
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(fault);
  });

  it('finds each value of a notification at its place, in clear or sealed, and in order', () => {
    const [first, second] = ['{"tracking_number":" T ","a":[{"b":"x","c":0.10}]}',
      '{"tracking_number":"T","a":[]}'];
    const records = [
      recordOf('{"notification":{"tracking_number":" T ","a":[{"c":0.10}]}}',
        { notification: { a: [{ b: 'x' }] } }, 'T'),
      recordOf('{"notification":{"tracking_number":"T","a":[]}}', undefined, 'T'),
    ];
    const sent = `[${first},${second}]`;
    expect(accepted('push-notifications', sent, records)).toBeUndefined();
    expect(accepted('push-notifications', sent, records.toReversed())).toContain('did not keep');
    expect(accepted('push-notifications', sent, records.slice(0, 1))).toContain('1 records of 2');
    const unopened = records.map((record) => ({ ...record, opened: undefined }));
    expect(accepted('push-notifications', sent, unopened)).toContain('/notification/a/0/b: "x"');
    const rounded = [recordOf('{"notification":{"tracking_number":"T","a":0.1}}', undefined, 'T')];
    expect(accepted('push-notifications', '{"tracking_number":"T","a":0.10}', rounded))
      .toContain('/notification/a: 0.10');
  });

  it('lets driver and traceables stand once above all locations', () => {
    const own = '"device":{"external_id":"d","external_type":"t"},"traceables":[{"id":"1","type":"s"}]';
    const sent = `{"locations":[{"at":1,${own}},{"at":2,${own}}]}`;
    const kept = (what: string): string | undefined => (
      accepted('send-delivery-locations', sent, [recordOf(what)])
    );
    expect(kept(`{${own},"locations":[{"at":1},{"at":2}]}`)).toBeUndefined();
    expect(kept(sent)).toBeUndefined();
    // What only the driver above has, is not lost with the drivers of the locations.
    const above = own.replace('"t"}', '"t","id":""}');
    expect(accepted('send-delivery-locations', `{"locations":[{"at":1,${own}}],${above}}`, [
      recordOf(`{"locations":[{"at":1}],${above}}`),
    ])).toBeUndefined();
    expect(accepted('send-delivery-locations', `{"locations":[{"at":1,${own}}],${above}}`, [
      recordOf(`{"locations":[{"at":1}],${own}}`),
    ])).toContain('changed');
    expect(kept(`{${own},"locations":[{"at":1},{"at":3}]}`)).toContain('changed');
    expect(kept(`{${own.replace('"1"', '"2"')},"locations":[{"at":1},{"at":2}]}`))
      .toContain('changed');
  });

  it('knows what each operation keeps, or fails', () => {
    expect(() => accepted('nobody-knows', '{}', [recordOf('{}')])).toThrow('nobody-knows');
  });
});
