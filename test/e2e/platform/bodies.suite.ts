import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { readJsonCases } from '../../support/json-test-suite/read-cases.ts';
import type { PlatformReply } from '../../support/platform-calls.ts';
import type { TestEnv } from '../../support/platform.ts';
import {
  aFix, locationsBody, locationsPath, newActor, nowSeconds, type Actor,
} from '../../support/platform-actor.ts';

const MEBIBYTE = 1_048_576;
const TOPIC = 'rtt.locations.v1';

/** What a body may contain, and that nothing else gets into the log (decisions, Shapes). */
export function bodiesSuite(at: () => TestEnv): void {
  describe('bodies', () => {
    let actor: Actor;
    let device: string;
    beforeAll(async () => {
      actor = await newActor(at());
      device = await actor.startedDevice();
    });
    const post = (body: string | Uint8Array, headers: Record<string, string | null> = {}):
    Promise<PlatformReply> => at().call(locationsPath(), { token: actor.token, body, headers });
    const good = (): string => JSON.stringify(locationsBody(device));
    const zipped = { 'content-encoding': 'gzip' };
    /** Every answer is a 400 that says something, and the log has not grown. */
    async function expectRefused(
      posts: readonly { name: string; post: () => Promise<PlatformReply>; code?: string }[],
    ): Promise<void> {
      const before = await at().recordsIn(TOPIC);
      for (const { name, post: send, code } of posts) {
        const { status, body } = await send();
        expect([name, status]).toEqual([name, 400]);
        expect(String(body['detail']).length).toBeGreaterThan(10);
        if (code !== undefined) expect([name, body['code']]).toEqual([name, code]);
      }
      expect(await at().recordsIn(TOPIC)).toBe(before);
    }
    const withFix = (change: object): string =>
      JSON.stringify({ ...locationsBody(device), locations: [{ ...aFix(), ...change }] });
    const withRaw = (number: string): string => good().replace('-23.5505', number);

    it('[GEN-01] refuses each file that is no JSON, as itself and inside a body', async () => {
      const cases = readJsonCases().filter(({ mustBeRefused }) => mustBeRefused);
      expect(cases.length).toBeGreaterThan(180);
      const [head = '', tail = ''] = good().split('"BR"');
      await expectRefused(cases.flatMap(({ name, bytes }) => [
        { name, post: () => post(bytes) },
        {
          name: `${name} inside`,
          post: () => post(Buffer.concat([Buffer.from(`${head}"BR","x":`), bytes, Buffer.from(tail)])),
        },
      ].slice(0, bytes.length > 50_000 || name.includes('_single_space') ? 1 : 2)));
    }, 60_000);

    it('[GEN-01] [GEN-11] [GEN-27] refuses wrong types and values, and says where', async () => {
      for (const [pointer, body] of [
        ['/locations/0/latitude', withFix({ latitude: '1' })],
        ['/locations/0/latitude', withFix({ latitude: null })],
        ['/locations/0/latitude', withFix({ latitude: [1] })],
        ['/locations/0/longitude', withFix({ longitude: { a: 1 } })],
        ['/locations/0/timestamp', withFix({ timestamp: 1.5 })],
        ['/locations/0/timestamp', withFix({ timestamp: Date.now() })],
        ['/locations/0/timestamp', withFix({ timestamp: -1 })],
        ['/locations/0/timestamp', withFix({ timestamp: true })],
        ['/locations/0/country_id', withFix({ country_id: 5 })],
        ['/locations/0/metadata/0', withFix({ metadata: ['x'] })],
        ['/locations/0/telemetry/timestamp', withFix({ telemetry: {} })],
        ['/locations', JSON.stringify({ ...locationsBody(device), locations: {} })],
        ['/locations', JSON.stringify({ ...locationsBody(device), locations: [] })],
        ['/post_timestamp', JSON.stringify({ ...locationsBody(device), post_timestamp: '1' })],
        ['/device_id', JSON.stringify({ ...locationsBody(device), device_id: 7 })],
      ] as const) {
        await expectRefused([{ name: body, post: () => post(body), code: 'validation_failed' }]);
        const [error] = (await post(body)).body['errors'] as { pointer: string; message: string }[];
        expect([body, error?.pointer.startsWith(pointer)]).toEqual([body, true]);
      }
      const inMilliseconds = await post(withFix({ timestamp: Date.now() }));
      expect(JSON.stringify(inMilliseconds.body)).toMatch(/millisecond/);
    });

    it('[GEN-14] [GEN-15] [GEN-24] refuses what two readers could read in two ways', async () => {
      await expectRefused([
        ...['[]', '"x"', 'null', '7', ''].map((text) => ({ name: text, post: () => post(text) })),
        ...['NaN', 'Infinity', '-Infinity', '1e400', '0x10', '+1', '01', '.5', '1.', '-'].map(
          (text) => ({ name: text, post: () => post(withRaw(text)) })),
        ...['9223372036854775808', '1e300', `1${'0'.repeat(5_000)}`].map((text) =>
          ({ name: text.slice(0, 20), post: () => post(withRaw(text)) })),
        {
          name: 'duplicate', code: 'duplicate_key',
          post: () => post(good().replace('{', '{"device_id":"other",')),
        },
        {
          name: 'duplicate in disguise', code: 'duplicate_key',
          post: () => post(good().replace('{', '{"device\\u005fid":"other",')),
        },
        { name: 'second value', post: () => post(`${good()} ${good()}`) },
        { name: 'm', code: 'reserved_name', post: () => post(good().replace('{', '{"m":{},')) },
        { name: '\\u006d', post: () => post(good().replace('{', '{"\\u006d":1,')) },
        { name: 'two byte order marks', post: () => post(`\uFEFF\uFEFF${good()}`) },
        {
          name: 'lone surrogate', code: 'invalid_encoding',
          post: () => post(good().replace('"BR"', '"BR","x":"\\ud800"')),
        },
        {
          name: 'latin-1', code: 'invalid_encoding',
          post: () => post(Buffer.from(good().replace('"BR"', '"BR","x":"é"'), 'latin1')),
        },
      ]);
      for (const name of ['__proto__', 'constructor', 'toString']) {
        const reply = await post(good().replace('{', `{"${name}":{"admin":true},`));
        expect([name, [202, 400].includes(reply.status)]).toEqual([name, true]);
      }
    });

    it('[GEN-21] takes a depth of 20 and neither 21 nor 10,000', async () => {
      const deep = (depth: number): string => {
        const levels = depth - 1;
        return good().replace('{', `{"x":${'['.repeat(levels)}${']'.repeat(levels)},`);
      };
      expect((await post(deep(20))).status).toBe(202);
      await expectRefused([21, 10_000].map((depth) =>
        ({ name: String(depth), code: 'too_deep', post: () => post(deep(depth)) })));
    });

    it('[GEN-17] takes a mebibyte, and not one byte more', async () => {
      const padded = (bytes: number): string => {
        const text = good().replace('{', '{"pad":"",');
        return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
      };
      expect((await post(padded(MEBIBYTE))).status).toBe(202);
      await expectRefused([
        { name: 'plus 1', code: 'payload_too_large', post: () => post(padded(MEBIBYTE + 1)) },
        { name: 'times 8', code: 'payload_too_large', post: () => post(padded(MEBIBYTE * 8)) },
      ]);
    });

    it('[GEN-19] [GEN-20] takes gzip and counts what it unpacks to', async () => {
      expect((await post(gzipSync(good()), zipped)).status).toBe(202);
      const bomb = gzipSync(Buffer.alloc(200 * MEBIBYTE, ' '));
      const packed = gzipSync(good());
      await expectRefused([
        { name: 'bomb', code: 'payload_too_large', post: () => post(bomb, zipped) },
        { name: 'cut', code: 'malformed_body', post: () => post(packed.subarray(0, -9), zipped) },
        { name: 'none', code: 'malformed_body', post: () => post(good(), zipped) },
        { name: 'unsaid', post: () => post(packed) },
        { name: 'twice', post: () => post(gzipSync(packed), zipped) },
      ]);
    }, 60_000);

    it('[GEN-22] takes application/json in UTF-8 only', async () => {
      const types = [
        'text/plain', 'application/xml', 'application/jsonp', 'multipart/form-data',
        'application/json; charset=latin1', 'application/x-www-form-urlencoded',
      ];
      const code = 'unsupported_media_type';
      await expectRefused([
        ...types.map((type) => ({
          name: type, code, post: () => post(good(), { 'content-type': type }),
        })),
        ...['br', 'deflate', 'gzip, gzip'].map((encoding) => ({
          name: encoding, code, post: () => post(good(), { 'content-encoding': encoding }),
        })),
      ]);
      const type = 'application/json;charset=utf-8';
      expect((await post(good(), { 'content-type': type })).status).toBe(202);
    });

    it('[GEN-16] [GEN-32] nothing of a body can speak for the caller', async () => {
      const id = await actor.startedDevice();
      const claims = { client_id: 'x', provider: 'evil', owner_id: 'y', d: 'z', extra: { a: [1] } };
      const body = { ...claims, ...locationsBody(id, [aFix({ timestamp: nowSeconds() })]) };
      expect((await post(JSON.stringify(body))).status).toBe(202);
      await expect.poll(() => at().query(
        'SELECT client_id, provider FROM v_locations WHERE device_id = {id:String}', { id },
      ), { timeout: 20_000 }).toEqual([{ client_id: actor.client.client_id, provider: 'acme' }]);
    });
  });
}
