import { describe, expect, it } from 'vitest';
import type { MapDevice } from '../../../services/gateways/live/fixes/map-fleet.ts';
import {
  BINARY, binaryEvent, binaryUpdate, jsonUpdate, ROW_BYTES, type UpdateContents,
} from '../../../services/gateways/live/fixes/updates.ts';
import { lastFix } from '../../support/live-feeds.ts';

const IDS = ['6f1c2d3e-4b5a-8c6d-8e7f-9a0b1c2d3e4f', '0d5b8a52-5f1c-8c5e-9c55-6f5f4f0c8a11'] as const;

const device = (id: string, more: Partial<MapDevice> = {}): MapDevice => ({
  deviceId: id, clientId: '1', fix: { ...lastFix(id, 5, -33.5), speed: 13.9 },
  recordId: { topicId: 't', partition: 0, offset: 0n }, appeared: 1, change: 2, plainChange: 2,
  isStopped: false, isOverflowing: false, isGone: false,
  ...more,
});

const contents: UpdateContents = {
  devices: [device(IDS[0]), device(IDS[1], { isGone: true })],
  since: 1, hasMore: true, atMs: 1_764_000_000_123, id: 'the-id', showsClients: true,
  showsStates: false,
};

describe('an update in bytes', () => {
  it('is read as docs/reference/live-feeds.md describes it', () => {
    const bytes = binaryUpdate(contents);
    expect(bytes.readUInt32LE(0)).toBe(bytes.length - 4);
    expect([bytes.readUInt8(4), bytes.readUInt8(5)]).toEqual([BINARY.fixes, 1]);
    const idLength = bytes.readUInt16LE(6);
    expect(bytes.readDoubleLE(8)).toBe(1_764_000_000_123);
    expect([16, 20, 24].map((at) => bytes.readUInt32LE(at))).toEqual([1, 1, 0]);
    expect(bytes.toString('latin1', 28, 28 + idLength)).toBe('the-id');
    const row = 28 + idLength;
    const hex = (id: string): string => id.replaceAll('-', '');
    expect(bytes.toString('hex', row, row + 16)).toBe(hex(IDS[0]));
    expect([bytes.readInt32LE(row + 16), bytes.readInt32LE(row + 20)])
      .toEqual([-335_000_000, 115_000_000]);
    expect(bytes.readUInt32LE(row + 24)).toBe(1_764_000_005);
    expect([bytes.readUInt16LE(row + 28), bytes.readUInt16LE(row + 30)]).toEqual([139, 65_535]);
    const gone = row + ROW_BYTES.binary;
    expect(bytes.toString('hex', gone, gone + 16)).toBe(hex(IDS[1]));
    expect(bytes).toHaveLength(gone + 16);
  });

  it('can be a reset with its reason', () => {
    const bytes = binaryEvent(BINARY.reset, 5, '', 'removed');
    expect(bytes.readUInt8(4)).toBe(BINARY.reset);
    expect(bytes.toString('latin1', 28)).toBe('removed');
  });

  it('keeps a number that does not fit, or is below zero, as none', () => {
    for (const speed of [-1, 6_553.5, Number.NaN]) {
      const fast = device(IDS[0], { fix: { ...lastFix(IDS[0], 5, 1), speed } });
      const bytes = binaryUpdate({ ...contents, id: undefined, devices: [fast] });
      expect(bytes.readUInt16LE(28 + 28)).toBe(65_535);
    }
  });
});

describe('an update with states', () => {
  const states: UpdateContents = {
    ...contents, id: undefined, showsStates: true,
    devices: [
      device(IDS[0], { isStopped: true, isOverflowing: true }),
      device(IDS[1], { isOverflowing: true }), device(IDS[0]),
      device(IDS[1], { isStopped: true, isGone: true }),
    ],
  };

  it('has one more byte a row', () => {
    const bytes = binaryUpdate(states);
    expect([16, 20].map((at) => bytes.readUInt32LE(at))).toEqual([3, 1]);
    expect([0, 1, 2].map((row) => bytes.readUInt8(28 + 33 * row + 32))).toEqual([1, 2, 0]);
    expect(bytes).toHaveLength(28 + 3 * 33 + 16);
  });

  it('has one more column in JSON, before whose the device is', () => {
    const text = jsonUpdate({ ...states, since: 0 }).toString();
    expect(text).toContain('null,null,"stopped","acme","1"],');
    expect(text).toContain('null,null,"overflow","acme","1"],');
    expect(text).toContain('null,null,null,"acme","1"]],');
    expect(text).toContain(`"gone":["${IDS[1]}"]`);
  });

  it('takes stopped devices off where states are not asked for', () => {
    const bytes = binaryUpdate({ ...states, showsStates: false });
    expect([16, 20].map((at) => bytes.readUInt32LE(at))).toEqual([2, 2]);
  });
});

describe('an update as JSON', () => {
  it('is one event with its id, and rows that say whose a device is only while it is new', () => {
    expect(jsonUpdate(contents).toString()).toBe(
      'id: the-id\nevent: positions\ndata: {"at_ms":1764000000123,"positions":'
      + `[["${IDS[0]}",1764000005,-33.5,11.5,13.9,null,null]],"gone":["${IDS[1]}"],"has_more":true}\n\n`,
    );
    const again = jsonUpdate({ ...contents, since: 0, id: undefined }).toString();
    expect(again).toContain('null,null,"acme","1"]');
    expect(again).not.toContain('id: ');
    expect(jsonUpdate({ ...contents, since: 0, showsClients: false }).toString())
      .toContain('null,null,"acme"]');
  });
});
