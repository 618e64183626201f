import { describe, expect, it } from 'vitest';
import { candidatesFor, hasFound } from '../../../services/adapters/console/browser/find.ts';
import { curlOf } from '../../../services/adapters/console/browser/addresses.ts';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';

const SESSION = {
  client_id: '1', name: 'x', audiences: ['platform'], scopes: [], providers: ['acme'], country_id: 'BR',
};
const UUID = '0193a5c0-0000-7000-8000-000000000001';
const kinds = (text: string, audiences = ['platform']): readonly string[] => (
  candidatesFor(text, { ...SESSION, audiences }).map(({ kind }) => kind));

describe('what is pasted', () => {
  it('may be what has that form, for what the session has', () => {
    expect(kinds(` ${UUID} `)).toEqual(['device', 'ingest', 'authorization', 'command']);
    expect(kinds(UUID, ['rtt', 'logistic-feed'])).toEqual(['device', 'ingest', 'command', 'ingest']);
    expect(kinds('4711')).toEqual(['shipment', 'shipment', 'shipment', 'transport', 'command']);
    expect(kinds('RST-1/2')).toEqual(['shipment', 'shipment', 'shipment']);
    expect(kinds('RST-1', ['tracking-pull'])).toEqual(['shipment']);
    expect(kinds('RST-1', ['rtt'])).toEqual([]);
    expect(kinds('  ')).toEqual([]);
  });

  it('is asked of operations that exist, and cannot lead elsewhere', () => {
    const shapes = Object.values(OPERATIONS).filter(({ method }) => method === 'GET')
      .map(({ path }) => new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/g, '[^/?#]+')}$`));
    for (const audiences of [['platform'], ['rtt', 'logistic-feed', 'tracking-pull']]) {
      for (const text of [UUID, '12', '../x?y#z', 'a b']) {
        for (const { address } of candidatesFor(text, { ...SESSION, audiences })) {
          const [path = ''] = address.split('?');
          expect(shapes.some((shape) => shape.test(path)), path).toBe(true);
        }
      }
    }
  });

  it('is found unless the answer is an empty list', () => {
    expect(hasFound({ shipments: [], has_more: false })).toBe(false);
    expect(hasFound({ shipments: [1], has_more: false })).toBe(true);
    expect(hasFound({ id: 'x', lifecycle: [] })).toBe(true);
    expect(hasFound({ id: 'x' })).toBe(true);
  });

  it('is copied as a call without the token of the session', () => {
    expect(curlOf('/platform/devices/x', 'https://rastro.example'))
      .toBe(`curl -H "Authorization: Bearer $TOKEN" 'https://rastro.example/platform/devices/x'`);
  });

  it('is copied as one word of the shell, whatever a pasted id has in it', () => {
    const id = encodeURIComponent("x'; rm -rf ~ #$(id)`id`\\");
    const [, word] = curlOf(`/platform/devices/${id}`, 'https://rastro.example').split(' \'');
    expect(word).toBe(
      "https://rastro.example/platform/devices/x%27%3B%20rm%20-rf%20~%20%23%24(id)%60id%60%5C'",
    );
  });
});
