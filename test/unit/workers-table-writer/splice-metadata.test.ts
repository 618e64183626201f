import { describe, expect, it } from 'vitest';
import { receivedAtMs } from '../../../services/workers/common/received-at.ts';
import { itemsOf, spliceMetadata }
  from '../../../services/workers/table-writer/splice-metadata.ts';
import { post } from './fixtures.ts';

describe('metadata in front of a value', () => {
  it('[GEN-16] takes device, client, provider, country and transport from what was admitted', () => {
    const record = post(3, 9, {
      key: 'true-device',
      value: Buffer.from('{"device_id":"forged","locations":[]}'),
      headers: {
        client: '100000000000001', provider: 'acme', country: 'BR', 'received-at': '1764000000123',
        transport: '-9007199254740991',
      },
      offset: 9_007_199_254_740_993n,
    });
    expect(Buffer.from(spliceMetadata(record) ?? []).toString()).toBe(
      '{"m":{"d":"true-device","o":"100000000000001","p":"acme","c":"BR","t":-9007199254740991'
      + ',"r":1764000000123,"kp":3,"ko":9007199254740993,"ki":"t1"},"device_id":"forged","locations":[]}',
    );
  });

  it('keeps the first place of a record that was put back after repair', () => {
    const headers = { 'replayed-from': 'old-topic:7:9007199254740993' };
    const text = Buffer.from(spliceMetadata(post(3, 9, { headers })) ?? []).toString();
    expect(text).toContain('"kp":7,"ko":9007199254740993,"ki":"old-topic"}');
    const forged = post(3, 9, { headers: { 'replayed-from': 'x:1:2","ko":"5' } });
    expect(Buffer.from(spliceMetadata(forged) ?? []).toString()).toContain('"kp":3,"ko":9,"ki"');
  });

  it('keeps quotes of a header or key inside their text', () => {
    const record = post(0, 1, { key: '","kp":7,"x":"', headers: { provider: '"},"m":{' } });
    const text = Buffer.from(spliceMetadata(record) ?? []).toString();
    expect(JSON.parse(text)).toMatchObject({ m: { d: '","kp":7,"x":"', p: '"},"m":{', kp: 0 } });
  });

  it.each(['', '{}', '{ }', '{\n\t}', '[]', 'null', '{'])('refuses the value %j', (text) => {
    expect(spliceMetadata(post(0, 1, { value: Buffer.from(text) }))).toBeUndefined();
  });

  it('falls back to the time of the log, and to no transport, where a header is not a number', () => {
    const record = post(0, 1, { headers: { 'received-at': '1e9', transport: '7x' } });
    expect(receivedAtMs(record)).toBe(record.timestampMs);
    expect(Buffer.from(spliceMetadata(record) ?? []).toString()).toContain('"t":0,');
  });

  it.each([[undefined, 1], ['0', 1], ['x', 1], ['250', 250]])('counts n %j as %i', (n, count) => {
    expect(itemsOf(post(0, 1, { headers: n === undefined ? {} : { n } }))).toBe(count);
  });
});
