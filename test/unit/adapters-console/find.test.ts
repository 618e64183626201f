import { describe, expect, it } from 'vitest';
import {
  candidatesFor, hasFound, hitsIn, nextPage, onlyPage,
} from '../../../services/adapters/console/browser/find.ts';
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
    const named = 'device';
    expect(kinds(` ${UUID} `)).toEqual(['device', 'ingest', 'authorization', 'command', named]);
    expect(kinds(UUID, ['rtt', 'logistic-feed']))
      .toEqual(['device', 'ingest', 'command', named, 'ingest']);
    expect(kinds('4711')).toEqual(['shipment', 'shipment', 'shipment', 'transport', 'command', named]);
    expect(kinds('RST-1/2')).toEqual(['shipment', 'shipment', 'shipment', named]);
    expect(kinds('RST-1', ['tracking-pull'])).toEqual(['shipment']);
    expect(kinds('B-XY 1234', ['rtt'])).toEqual([named]);
    expect(kinds('B-XY 1234', ['authorizations'])).toEqual([]);
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

  it('may be the name of a device, as it is written, for its owner and for the platform', () => {
    const addressOf = (text: string, audiences: readonly string[]): string | undefined => (
      candidatesFor(text, { ...SESSION, audiences: [...audiences] })
        .find(({ isOfDevices }) => isOfDevices)?.address);
    const name = 'external_entity_id=%C3%84B%2F1%262&limit=20';
    expect(addressOf(' ÄB/1&2 ', ['rtt'])).toBe(`/shipping/rtt/devices?country_id=BR&${name}`);
    expect(addressOf('ÄB/1&2', ['platform', 'rtt'])).toBe(`/platform/devices?${name}`);
    expect(addressOf(UUID, ['rtt'])).toContain(`external_entity_id=${UUID}`);
    expect(addressOf('ÄB/1&2', ['tracking-pull'])).toBeUndefined();
  });

  it('leads to the page of the device that was found by its name, or to one of several', () => {
    const [candidate] = candidatesFor('B-XY 1234', { ...SESSION, audiences: ['rtt'] });
    if (candidate === undefined) throw new Error('No candidate.');
    const hits = (...ids: readonly string[]) => hitsIn(candidate, {
      devices: ids.map((id) => ({ id, status: 'active' })), has_more: true, next_cursor: 'x',
    });
    expect(hits()).toEqual([]);
    expect(hits('a/b')).toEqual([{
      kind: 'device', address: candidate.address, page: '#/device/a%2Fb',
      body: { id: 'a/b', status: 'active' },
    }]);
    expect(onlyPage(hits('a'))).toBe('#/device/a');
    expect(onlyPage(hits('a', 'b'))).toBeUndefined();
    expect(onlyPage([])).toBeUndefined();
    // A device whose name is its own id is found twice, and is one.
    expect(onlyPage([...hits('a'), { kind: 'device', address: 'x', page: '#/device/a', body: {} }]))
      .toBe('#/device/a');
    expect(onlyPage([...hits('a'), { kind: 'ingest', address: 'x', body: {} }])).toBeUndefined();
  });

  it('is asked for on the next page where one has nothing and is not the last', () => {
    expect(nextPage('/platform/devices?external_entity_id=a%26b&limit=20', { next_cursor: 'c-_1' }))
      .toBe('/platform/devices?external_entity_id=a%26b&limit=20&cursor=c-_1');
    expect(nextPage('/platform/shipments/RST', { next_cursor: 'c' }))
      .toBe('/platform/shipments/RST?cursor=c');
    expect(nextPage('/platform/devices?external_entity_id=a', { has_more: false })).toBeUndefined();
  });

  it('is found unless the answer is an empty list', () => {
    expect(hasFound({ shipments: [], has_more: false })).toBe(false);
    expect(hasFound({ shipments: [], has_more: true, next_cursor: 'x' })).toBe(false);
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
