import { describe, expect, it } from 'vitest';
import { createJsonSteps } from '../../../services/adapters/http/json/read-json.ts';
import { createCursor } from '../../../services/adapters/http/json/cursor.ts';
import { skipText } from '../../../services/adapters/http/json/string.ts';
import { decodeImage } from '../../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../../services/adapters/images/decode-long.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { openNotification } from '../../../services/domain/journey/notification.ts';
import { readNotifications } from '../../../services/domain/journey/read-notifications.ts';
import { writtenRecord } from '../../../services/gateways/notifications/write-record.ts';
import { parseExact } from '../../../services/kernel/exact-json.ts';
import type { SealedPersonal } from '../../../services/kernel/personal.ts';
import { STEP_BYTES } from '../../../services/kernel/steps.ts';
import { bundleOf } from '../../../schemas/bundles.ts';
import { bytesByStep } from '../../support/bytes-by-step.ts';
import { fakePersonal } from '../../support/fake-personal.ts';

const MIB = 1_048_576;
const BYTES = 6 * MIB - 2_000;
/** A step works on its bytes some times (cut out, parsed, written again), and never on more. */
const MOST = 12 * STEP_BYTES;
/** Megabytes go through slow spies, on a machine with other work. */
const SLOW_MS = 60_000;
const read = createJsonSteps(20);
const asked = { keepsNumbers: true, cutsLongTexts: true };
const images = { read: decodeImage, readLong: decodeLongImage };
const check = loadSchemas().checkOf('NotificationsBody');

function bodyOf(more: string, payload = ''): string {
  return '[{"tracking_number":"G-1","code":"EX-HUB","carrier_code":"H","payload":'
    + `{"date":"2026-11-20T10:15:00-03:00"${payload}}${more}}]`;
}

function repeated(part: string, bytes = BYTES): string {
  return part.repeat(Math.floor(bytes / part.length));
}

function list(item: string, count: number): string {
  return `[${Array.from({ length: count }, () => item).join()}]`;
}
const PERSON = '"receiver_document":{"type":"CPF","number":"00000000191"},"receiver_name":"A",'
  + '"receiver_last_name":"S","receiver_relationship":"buyer"';

const BODIES: Readonly<Record<string, string>> = {
  'one long text': bodyOf(`,"x":"${repeated('x')}"`),
  'one long text of other alphabets': bodyOf(`,"x":"${repeated('漢', BYTES / 3)}"`),
  'one long text of escapes': bodyOf(`,"x":"${repeated('\\n\\u00e9\\ud83d\\ude00')}"`),
  'many texts': bodyOf(`,"x":${list(`"${'y'.repeat(5_000)}"`, 1_200)}`),
  'many members': bodyOf(Array.from({ length: 1_500 }, (_, at) => (
    `,"u${at}":"${'z'.repeat(4_000)}"`
  )).join('')),
  'many numbers': bodyOf(`,"x":${list('1.50', 140_000)}`),
  'lists in lists': bodyOf(`,"x":${list(list(list('{"a":null,"b":"0123456789"}', 20), 20), 100)}`),
  'an image': bodyOf('', `,"proof_of_delivery":{${PERSON},"image":"${repeated('iVBORw0KGgo+')}"}`),
};

describe('a large body of notifications', () => {
  it.each(Object.entries(BODIES))(
    '[GEN-44] with %s is read, sealed and written in steps of bounded bytes', async (_name, body) => {
      const reading = bytesByStep(read(Buffer.from(body), asked));
      expect(reading.most).toBeLessThan(MOST);
      expect(reading.steps).toBeGreaterThan(body.length / STEP_BYTES);
      if (!reading.result.ok) throw new Error(JSON.stringify(reading.result.refusal));
      const { value, sent } = reading.result;
      expect(check(value)).toBeUndefined();
      const notifications = bytesByStep(readNotifications(sent, images));
      expect(notifications.most).toBeLessThan(MOST);
      const [one] = notifications.result;
      if (one === undefined) throw new Error('There is none.');
      const keys = await fakePersonal().forWriting(['shipment:G-1'], 0);
      const written = bytesByStep(
        writtenRecord(keys, one.trackingNumber, one.notification, {}, sent.texts),
      );
      expect(written.most).toBeLessThan(MOST);
      const { notification, personal } = parseExact(Buffer.from(written.result).toString()) as {
        notification: unknown; personal: SealedPersonal;
      };
      const opened = openNotification(keys, one.trackingNumber, notification, personal);
      const [whole] = JSON.parse(body) as [Record<string, Record<string, unknown>>];
      const proof = whole['payload']?.['proof_of_delivery'] as Record<string, unknown> | undefined;
      delete proof?.['image'];
      const nothing = (_name: string, each: unknown): unknown => (each === null ? undefined : each);
      expect(JSON.parse(JSON.stringify(opened)))
        .toEqual(JSON.parse(JSON.stringify(whole, nothing)));
    }, SLOW_MS,
  );

  it('[GEN-44] is refused in steps too, with the place of an equal key', () => {
    const body = bodyOf(`,"x":"${repeated('x', BYTES / 2)}","y":${list('{"a":1}', 70_000)},"x":1`);
    const { result, most } = bytesByStep(read(Buffer.from(body), asked));
    expect(most).toBeLessThan(MOST);
    expect(result).toMatchObject({
      ok: false, refusal: { code: 'duplicate_key', errors: [{ pointer: '/0/x' }] },
    });
  });

  it('[GEN-44] stops within a text after the bytes of a step', () => {
    const cursor = createCursor(Buffer.from(repeated('x')));
    expect(skipText(cursor, STEP_BYTES)).toBe('pause');
    expect(cursor.at).toBeLessThan(STEP_BYTES + 8);
  });

  it('[GEN-44] has names of at most 64 KiB', () => {
    const named = (bytes: number) => bytesByStep(
      read(Buffer.from(bodyOf(`,"${'n'.repeat(bytes)}":1`)), asked),
    ).result;
    expect(named(65_536)).toMatchObject({ ok: true });
    expect(named(65_537)).toMatchObject({
      ok: false, refusal: { code: 'payload_too_large', errors: [{ pointer: '/0' }] },
    });
  });
});

/** Every place of the schema at which a text may stand, as a value with `text` at it. */
function placesOf(schema: Readonly<Record<string, unknown>>, text: string, depth = 0): unknown[] {
  if (depth > 8) return [];
  const { type, properties, items } = schema as {
    type?: string; properties?: Record<string, Record<string, unknown>>;
    items?: Record<string, unknown>;
  };
  if (type === 'object') {
    return Object.entries(properties ?? {}).flatMap(([name, member]) => (
      placesOf(member, text, depth + 1).map((value) => ({ [name]: value }))
    ));
  }
  if (type === 'array') return placesOf(items ?? {}, text, depth + 1).map((value) => [value]);
  return [text];
}

describe('the stand-in of a long text', () => {
  const whole = createJsonSteps(20);
  const [one] = (bundleOf('NotificationsBody')?.['oneOf'] ?? []) as [Record<string, unknown>];

  it.each([
    ['x', 'x'], ['digits', '1'], ['Base64', 'QUJD'], ['two UTF-16 units', '😀'],
  ])('is refused where a text of %s would be, in the same words', (_name, part) => {
    const places = placesOf(one, repeated(part, 2 * STEP_BYTES));
    expect(places.length).toBeGreaterThan(40);
    for (const place of places) {
      const body = Buffer.from(JSON.stringify(place));
      const [cut, uncut] = [bytesByStep(whole(body, asked)), bytesByStep(whole(body))]
        .map(({ result }) => (result.ok ? check(result.value)?.() : result.refusal));
      expect(cut).toEqual(uncut);
    }
  });
});
