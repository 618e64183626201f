import { describe, expect, it } from 'vitest';
import { locationsBody, openLocationScanner } from '../../support/edge.ts';
import { openExactWay } from '../../support/exact-way.ts';

const scan = openLocationScanner();
const exact = openExactWay();

const FIX = '"timestamp":1764000000,"country_id":"BR","latitude":-23.5,"longitude":-46.6';
const HEAD = '"device_id":"d","post_timestamp":1764000005';
const bodyOf = (location: string): string => `{${HEAD},"locations":[{${location}}]}`;
const withFix = (rest: string): string => bodyOf(`${FIX},${rest}`);
const telemetry = (rest: string): string => withFix(`"telemetry":{"timestamp":1764000000,${rest}}`);
const pairs = (count: number): string =>
  `[${Array.from({ length: count }, () => '{"name":"n","value":"v"}').join()}]`;

const EVERYTHING = JSON.stringify({
  ...locationsBody(),
  locations: [{
    ...locationsBody().locations[0], altitude: 519.25, accuracy: 3, bearing: 271.5,
    bearing_accuracy: 0, metadata: [{ name: 'Gerät', value: '🚚 日本 é' }],
    telemetry: {
      timestamp: 1_764_000_000.123, ignition: true, odometer: 123_456.7, speed: 53.199999999999996,
      speed_accuracy: 1, engine_rpm: 2_100, engine_temperature: 90, air_temperature: -7.5,
      acceleration_longitudinal: -0.25, acceleration_lateral: 0.000001, direction: 'NNW',
      fuel_quantity: 44, fuel_level: 101, fuel_consumption: 7.1, battery_level: -1,
      battery_consumption: 0, battery_health: 100, battery_temperature: 21, battery_remaining: 0.5,
      others: [],
    },
  }],
});

describe('the scanner', () => {
  it.each([
    ['the plainest', bodyOf(FIX)],
    ['everything that a location may say', EVERYTHING],
    ['white space of every kind', JSON.stringify(JSON.parse(EVERYTHING), null, '\t ')
      .replaceAll('\n', '\r\n')],
    ['the separators of Python', EVERYTHING.replaceAll(',', ', ').replaceAll(':', ': ')],
    ['another order', '{"locations":[{"longitude":1,"latitude":2,"timestamp":946684800,'
      + '"country_id":"DE"}],"post_timestamp":4102444800,"device_id":"é"}'.replace('é', 'e')],
    ['the first and the last second that a time may have', bodyOf(
      `${FIX},"telemetry":{"timestamp":253402300799}`.replace('1764000000', '0'),
    )],
    ['a country in lower case', bodyOf(FIX.replace('BR', 'bR'))],
    ['a country of three characters', bodyOf(FIX.replace('BR', 'Bra'))],
    ['zeros at the end of a number', withFix('"altitude":12.500,"accuracy":3.0,"bearing":0.00')],
    ['numbers of 16 and 17 digits', withFix('"altitude":0.30000000000000004')],
    ['the largest number that is exact', withFix('"altitude":-9007199254740991')],
    ['20 pairs', withFix(`"metadata":${pairs(20)}`)],
    ['texts of the greatest length', withFix(
      `"metadata":[{"name":"${'é'.repeat(255)}","value":"${'🚚'.repeat(2_048)}"}]`,
    )],
    ['null before, between and behind', withFix('"altitude":null,"accuracy":1,"bearing":null')],
    ['null first, spaced', bodyOf(`"altitude" : null , "bearing" : null,\n ${FIX}`)],
    ['nothing but nulls in telemetry', withFix('"telemetry":null,"metadata":null')],
    ['null between spaces', withFix('"metadata" : null , "telemetry" : { "timestamp" : 1764000000 ,'
      + ' "speed" : null , "odometer":null }')],
    ['1,000 locations', JSON.stringify(locationsBody(1_000))],
    ['corners of the world', bodyOf(
      '"timestamp":946684800,"country_id":"ZZ","latitude":-90,"longitude":180.0',
    )],
  ])('takes %s, and reports what the exact path reports', (_title, text) => {
    const bytes = Buffer.from(text);
    const taken = scan(bytes);
    const read = exact(bytes);
    expect(read).toBeDefined();
    expect(taken).toMatchObject({ deviceId: read!.deviceId, items: read!.items });
    expect(Buffer.from(taken!.canonical).toString()).toBe(Buffer.from(read!.canonical).toString());
  });

  it.each([
    ['an unknown member', withFix('"colour":"red"')],
    ['a name of the platform', `{"m":{},${HEAD},"locations":[{${FIX}}]}`],
    ['a member twice', withFix('"latitude":1')],
    ['a missing member', bodyOf(FIX.replace('"country_id":"BR",', ''))],
    ['no location', `{${HEAD},"locations":[]}`],
    ['1,001 locations', JSON.stringify(locationsBody(1_001))],
    ['21 pairs', withFix(`"metadata":${pairs(21)}`)],
    ['a pair without a value', withFix('"metadata":[{"name":"n"}]')],
    ['null of a member that must be there', bodyOf(FIX.replace('-23.5', 'null'))],
    ['null in a list', withFix('"metadata":[null]')],
    ['null twice', withFix('"altitude":null,"altitude":null')],
    ['a word that begins as null', withFix('"altitude":nulls')],
    ['a number as text', withFix('"altitude":"1"')],
    ['a latitude of 90.1', bodyOf(FIX.replace('-23.5', '90.1'))],
    ['a latitude of 90.00000000000001', bodyOf(FIX.replace('-23.5', '90.00000000000001'))],
    ['a time in milliseconds', bodyOf(FIX.replace('1764000000', '1764000000000'))],
    ['a time after 9999', bodyOf(FIX.replace('1764000000', '253402300800'))],
    ['a time before 1970', bodyOf(FIX.replace('1764000000', '-1'))],
    ['a time with a fraction', bodyOf(FIX.replace('1764000000', '1764000000.5'))],
    ['an exponent', withFix('"altitude":1e3')],
    ['a negative zero', withFix('"altitude":-0.0')],
    ['a number below a millionth', withFix('"altitude":0.0000001')],
    ['a number above 2^53-1', withFix('"altitude":9007199254740993')],
    ['a number with too many digits', withFix('"altitude":0.1000000000000000055')],
    ['17 digits that no float has', withFix('"altitude":0.30000000000000001')],
    ['a superfluous zero', withFix('"altitude":01')],
    ['a point without digits', withFix('"altitude":1.')],
    ['an escape', withFix('"metadata":[{"name":"\\u00e9","value":"\\n"}]')],
    ['an escaped name', withFix('"\\u0061ltitude":1')],
    ['a control character', telemetry('"direction":"a\tb"')],
    ['a text that is too long', telemetry(`"direction":"${'é'.repeat(256)}"`)],
    ['a country of one character', bodyOf(FIX.replace('BR', 'B'))],
    ['a country of four characters', bodyOf(FIX.replace('BR', 'BRAZ'))],
    ['a country of other signs', bodyOf(FIX.replace('BR', 'B['))],
    ['a country below A', bodyOf(FIX.replace('BR', 'B@'))],
    ['a country beyond ASCII', bodyOf(FIX.replace('BR', 'é'))],
    ['a device id beyond ASCII', bodyOf(FIX).replace('"d"', '"é"')],
    ['no device id', bodyOf(FIX).replace('"d"', '""')],
    ['something behind the body', `${bodyOf(FIX)}{}`],
    ['a zero byte behind the body', `${bodyOf(FIX)}\0`],
    ['a byte order mark', `\uFEFF${bodyOf(FIX)}`],
    ['white space that JSON does not know', `\u00A0${bodyOf(FIX)}`],
    ['a comma too many', withFix('"altitude":1,')],
    ['an end that is missing', bodyOf(FIX).slice(0, -1)],
    ['a list', `[${bodyOf(FIX)}]`],
    ['nothing', ''],
  ])('leaves %s to the exact path', (_title, text) => {
    expect(scan(Buffer.from(text))).toBeUndefined();
  });

  it.each([
    ['an overlong slash', [0xc0, 0xaf]], ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a lone tail', [0x80]], ['a cut character', [0xf0, 0x9f, 0x9a]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]], ['a byte of no character', [0xff]],
    ['an overlong of three', [0xe0, 0x9f, 0xbf]], ['an overlong of four', [0xf0, 0x8f, 0xbf, 0xbf]],
  ])('leaves %s in a text to the exact path', (_title, bytes) => {
    const [before, behind] = telemetry('"direction":"|"').split('|');
    const body = Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(behind!)]);
    expect(scan(body)).toBeUndefined();
    expect(exact(body)).toBeUndefined();
  });

  it('takes a text of any length, and no bad character at any place of it', () => {
    for (let length = 1; length <= 50; length += 1) {
      const text = 'x'.repeat(length);
      expect(scan(Buffer.from(telemetry(`"direction":"${text}"`)))).toMatchObject({ items: 1 });
      for (let at = 0; at < length; at += 1) {
        const bad = `${text.slice(0, at)}\u001f${text.slice(at + 1)}`;
        expect(scan(Buffer.from(telemetry(`"direction":"${bad}"`)))).toBeUndefined();
      }
    }
  });

  it('separates a number of any length from its neighbours and from its limits', () => {
    for (const sign of ['', '-']) {
      for (let whole = 1; whole <= 15; whole += 1) {
        for (let fraction = 0; whole + fraction <= 15; fraction += 1) {
          const digits = '123456789123456'.slice(0, whole + fraction);
          const point = fraction > 0 ? '.' : '';
          const number = `${sign}${digits.slice(0, whole)}${point}${digits.slice(whole)}`;
          const bytes = Buffer.from(withFix(`"altitude":${number}`));
          expect(scan(bytes)?.canonical).toBe(bytes);
          expect(scan(Buffer.from(withFix(`"altitude":${sign}0${digits}${point}${digits}`))))
            .toBeUndefined();
          const latitude = Buffer.from(bodyOf(FIX.replace('-23.5', number)));
          expect(scan(latitude) === undefined).toBe(Math.abs(Number(number)) > 90);
        }
      }
    }
  });

  it.each(['bearing_accuracx', 'engine_temperaturx', 'acceleration_longitudinax', 'altitudee'])(
    'knows that %s is no member', (name) => {
      const body = telemetry(`"engine_temperature":1,"acceleration_longitudinal":2,"${name}":3`);
      expect(scan(Buffer.from(body))).toBeUndefined();
      expect(scan(Buffer.from(withFix(`"bearing_accuracy":1,"${name}":3`)))).toBeUndefined();
    },
  );

  it('forgets a body before the next, the shorter behind the longer', () => {
    const long = Buffer.from(JSON.stringify(locationsBody(200)));
    expect(scan(long)).toMatchObject({ items: 200 });
    const cut = Buffer.from(bodyOf(FIX).slice(0, -1));
    expect(scan(cut)).toBeUndefined();
    expect(scan(Buffer.from(bodyOf(FIX)))).toMatchObject({ deviceId: 'd', items: 1 });
  });

  it('hands back bytes that the next body does not touch', () => {
    const spaced = Buffer.from(JSON.stringify(locationsBody(2), null, 1));
    const kept = scan(spaced)!.canonical;
    scan(Buffer.from(JSON.stringify(locationsBody(9), null, 1)));
    expect(Buffer.from(kept).toString()).toBe(JSON.stringify(locationsBody(2)));
  });

  it('leaves a body that is larger than its memory to the exact path', () => {
    expect(scan(Buffer.alloc(1_048_577, ' '))).toBeUndefined();
    expect(scan(Buffer.alloc(1_048_576, ' '))).toBeUndefined();
    const padded = Buffer.concat([Buffer.from(bodyOf(FIX)), Buffer.alloc(1_000_000, ' ')]);
    expect(scan(padded)).toMatchObject({ items: 1 });
  });

  it('leaves more questions than it may ask to the exact path', () => {
    const fix = `{${FIX},"altitude":0.30000000000000004,"telemetry":{"timestamp":1764000000,${
      ['odometer', 'speed', 'speed_accuracy', 'engine_rpm', 'engine_temperature',
        'air_temperature', 'fuel_quantity', 'fuel_level', 'fuel_consumption']
        .map((name) => `"${name}":0.30000000000000004`).join()}}}`;
    const bodyWith = (fixes: number): Buffer => Buffer.from(
      `{${HEAD},"locations":[${Array.from({ length: fixes }, () => fix).join()}]}`,
    );
    expect(scan(bodyWith(819))).toMatchObject({ items: 819 });
    expect(scan(bodyWith(820))).toBeUndefined();
  });
});
