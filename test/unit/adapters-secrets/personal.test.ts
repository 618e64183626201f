import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../../../services/adapters/secrets/key-ring.ts';
import { createPersonalSeals } from '../../../services/adapters/secrets/personal-seals.ts';
import { parseExact } from '../../../services/kernel/exact-json.ts';
import { jsonPieces } from '../../../services/kernel/json-pieces.ts';
import { finish } from '../../../services/kernel/steps.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakePersonal, fakePersonalKeys, PERSONAL_KEY } from '../../support/fake-personal.ts';
import { personalKeyStatesSuite } from '../../support/personal-key-states.suite.ts';

const ANNA = 'shipment:RST1';
const clock = { nowMs: () => 1_764_000_000_000 };
const NEWER = `k2:${Buffer.alloc(32, 9).toString('base64')}`;

personalKeyStatesSuite(async () => (
  { personalKeys: fakePersonalKeys(), close: async () => undefined }
));

describe('sealed personal data', () => {
  it('opens again with every digit as it was written', async () => {
    const keys = await fakePersonal().forWriting([ANNA], 0);
    const reported = parseExact('{"name":"Ana Souza","lat":-23.550520000000000,"n":12345678901234567890}');
    const sealed = keys.seal('NotificationRecorded', ANNA, reported);
    expect(JSON.stringify(sealed)).not.toContain('Souza');
    const opened = sealed === undefined ? undefined : keys.open('NotificationRecorded', ANNA, sealed);
    expect(JSON.stringify(opened)).toBe(JSON.stringify(reported));
  });

  it.each([0, 1, 2, 3, 4, 65_535, 65_536, 65_537, 65_538, 200_001])(
    'is the same in steps, with %i characters', async (characters) => {
      const keys = await fakePersonal().forWriting([ANNA], 0);
      const reported = { name: 'x'.repeat(characters), at: 1 };
      const at = 5;
      const long = finish(keys.sealLong('NotificationRecorded', ANNA, (isSorted) => (
        jsonPieces(reported, new Map(), { isSorted })
      )));
      if (long === undefined) throw new Error('not sealed');
      const target = Buffer.alloc(at + long.characters + 1, '!');
      finish(long.write(target, at));
      const sealed = target.toString('latin1', at, at + long.characters);
      expect(target.toString('latin1')).toBe(`!!!!!${sealed}!`);
      expect(long.mac).toBe(keys.seal('NotificationRecorded', ANNA, reported)?.mac);
      expect(keys.open('NotificationRecorded', ANNA, { ...long, sealed })).toEqual(reported);
    },
  );

  it('is bound to its kind and its subject', async () => {
    const keys = await fakePersonal().forWriting([ANNA, 'shipment:RST2'], 0);
    const sealed = keys.seal('NotificationRecorded', ANNA, { name: 'Ana' });
    if (sealed === undefined) throw new Error('not sealed');
    expect(() => keys.open('ShipmentAuthorized', ANNA, sealed)).toThrow();
    expect(keys.open('NotificationRecorded', 'shipment:RST2', sealed)).toBeUndefined();
    const changed = { ...sealed, sealed: sealed.sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')) };
    expect(() => keys.open('NotificationRecorded', ANNA, changed)).toThrow();
  });

  it('knows a repeat by its keyed hash, however its members stand, and nothing else by it', async () => {
    const keys = await fakePersonal().forWriting([ANNA, 'shipment:RST2'], 0);
    const seal = (subject: string, personal: unknown) =>
      keys.seal('NotificationRecorded', subject, personal);
    const first = seal(ANNA, { a: 1, b: 'x' });
    const again = seal(ANNA, { b: 'x', a: 1 });
    expect(again?.mac).toBe(first?.mac);
    expect(again?.sealed).not.toBe(first?.sealed);
    expect(seal('shipment:RST2', { a: 1, b: 'x' })?.mac).not.toBe(first?.mac);
  });

  it('has its key in the log before it is used, once for all who seal at one time', async () => {
    const log = fakeRecordLog();
    const states = fakePersonalKeys();
    const [one, two] = [fakePersonal(states, log), fakePersonal(states, log)];
    log.hold();
    const both = Promise.all([one.forWriting([ANNA], 0), two.forWriting([ANNA], 0)]);
    await expect.poll(() => log.held()).toBe(2);
    log.release();
    const [a, b] = await both;
    const sealed = a?.seal('NotificationRecorded', ANNA, { name: 'Ana' });
    if (sealed === undefined) throw new Error('not sealed');
    expect(b?.open('NotificationRecorded', ANNA, sealed)).toEqual({ name: 'Ana' });
    expect(new Set(log.of('personal.keys.v1').map(({ key }) => key)).size).toBe(1);
    // Who only reads has it too, and asks the log for nothing.
    const reading = await one.forReading([ANNA]);
    expect(reading.open('NotificationRecorded', ANNA, sealed)).toEqual({ name: 'Ana' });
  });

  it('seals nothing while the log does not take the key', async () => {
    const log = fakeRecordLog();
    log.failWith('log_unavailable');
    await expect(fakePersonal(fakePersonalKeys(), log).forWriting([ANNA], 0))
      .rejects.toMatchObject({ code: 'log_unavailable' });
  });

  it('is dropped for an erased subject, and opens no more', async () => {
    const states = fakePersonalKeys();
    const personal = fakePersonal(states);
    const before = await personal.forWriting([ANNA], 0);
    const sealed = before.seal('NotificationRecorded', ANNA, { name: 'Ana' });
    if (sealed === undefined) throw new Error('not sealed');
    await states.apply([{ type: 'PersonalErased', subject: ANNA, at_ms: 1 }]);
    const after = await personal.forWriting([ANNA], 0);
    expect(after.isErased(ANNA)).toBe(true);
    expect(after.seal('NotificationRecorded', ANNA, { name: 'Ana' })).toBeUndefined();
    expect(after.open('NotificationRecorded', ANNA, sealed)).toBeUndefined();
  });
});

describe('a ring of keys', () => {
  it('wraps with the first and unwraps with all of them, until one is taken away', async () => {
    const states = fakePersonalKeys();
    const log = fakeRecordLog();
    const open = (keys: string) => createPersonalSeals(keys, { states, log, clock });
    const sealed = (await open(PERSONAL_KEY).forWriting([ANNA], 0))
      .seal('NotificationRecorded', ANNA, { name: 'Ana' });
    if (sealed === undefined) throw new Error('not sealed');
    const rotated = open(`${NEWER},${PERSONAL_KEY}`);
    const keys = await rotated.forWriting([ANNA, 'shipment:RST2'], 0);
    expect(keys.open('NotificationRecorded', ANNA, sealed)).toEqual({ name: 'Ana' });
    expect(log.of('personal.keys.v1').map(({ value }) => (value as { wrapped: string }).wrapped.slice(0, 3)))
      .toEqual(['k1.', 'k2.']);
    await expect(open(NEWER).forReading([ANNA]))
      .rejects.toMatchObject({ code: 'personal_key_unavailable' });
  });

  it('wraps the same data key again', () => {
    const old = createKeyRing(PERSONAL_KEY).newKey(ANNA);
    const both = createKeyRing(`${NEWER},${PERSONAL_KEY}`);
    const rewrapped = both.rewrap(ANNA, old);
    expect(rewrapped.wrapped).toMatch(/^k2\./);
    expect(createKeyRing(NEWER).unwrap(ANNA, rewrapped)).toEqual(both.unwrap(ANNA, old));
    expect(() => both.unwrap('shipment:RST2', old)).toThrow();
  });

  it.each(['', 'k1', 'k1:abc', `${PERSONAL_KEY},${PERSONAL_KEY}`])('refuses %j', (text) => {
    expect(() => createKeyRing(text)).toThrow('Keys of personal data');
  });
});
