import { describe, expect, it } from 'vitest';
import { cutNewestFix } from '../../../services/kernel/cut-newest-fix.ts';

const window = { fromSeconds: 100, toSeconds: 200 };

function cut(body: object | string, items: number): unknown {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = cutNewestFix(Buffer.from(text), items, window);
  return bytes === undefined ? undefined : JSON.parse(bytes.toString());
}

function fix(timestamp: number, more: object = {}) {
  return { timestamp, latitude: 1, longitude: 2, ...more };
}

describe('Cutting the newest fix out of a post', () => {
  it('takes the newest of the window, and the later of two at one second', () => {
    const newest = fix(150, { metadata: [{ name: '}{', value: 'ñ[' }], telemetry: { timestamp: 1.5 } });
    expect(cut({ locations: [fix(150), newest, fix(149), fix(201), fix(99)] }, 5)).toEqual(newest);
    expect(cut({ locations: [newest, fix(149)], device_id: 'd' }, 2)).toEqual(newest);
  });

  it.each([
    ['no fix in the window', { locations: [fix(99)] }, 1],
    ['fewer than were counted', { locations: [fix(150)] }, 2],
    ['objects in a list that look like fixes', { locations: [fix(150, { extra: [fix(160)] })] }, 1],
    ['a time that is not the first member', { locations: [{ latitude: 1, timestamp: 150 }] }, 1],
    ['an escape', { locations: [fix(150)], device_id: '"' }, 1],
    ['a time with an exponent', '{"locations":[{"timestamp":1.5e2,"latitude":1}]}', 1],
    ['a time with a fraction', '{"locations":[{"timestamp":150.5,"latitude":1}]}', 1],
    ['white space', '{"locations":[ {"timestamp":150,"latitude":1}]}', 1],
  ])('leaves a post to be parsed: %s', (_why, body, items) => {
    expect(cut(body, items)).toBeUndefined();
  });
});
