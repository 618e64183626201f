import type { Subject } from '../../kernel/personal.ts';
import { isoOf } from '../inspect/facts.ts';
import { notFound } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { eraseTracks } from './erase-tracks.ts';
import { readPersonalKeys, recordPersonalKey, type PersonalKeysInLog } from './log.ts';
import { isInLog, type DeviceLife } from './records.ts';

const SHIPMENT = 'shipment:';

/**
 * Denies first, permanently; then drops every key, pictures and positions. Repeating it changes
 * nothing. What the log does not know is not denied: a number with a typing error may be
 * that of another person.
 */
export async function erase(
  ports: OperatorPorts, subjects: readonly Subject[], lives: readonly DeviceLife[],
): Promise<Report> {
  const before = await readPersonalKeys(ports.reader, new Set(subjects));
  if (before.size === 0 && lives.length === 0 && !await isInLog(ports.reader, subjects)) {
    return notFound(`The log holds nothing about ${subjects.join(', ')}; nothing was erased.`);
  }
  const keys = await dropKeys(ports, subjects, before);
  const pictures = await erasePictures(ports, subjects);
  const tracks = await eraseTracks(ports, lives);
  const left = [...pictures, ...tracks.left];
  return {
    value: {
      erased: subjects, keys_dropped: keys, images_erased: pictures.length === 0,
      tracks_erased: lives.length, rows_deleted: tracks.rowsDeleted,
      left,
    },
    lines: [
      `Erased ${subjects.join(', ')}: ${keys} keys dropped, ${tracks.rowsDeleted} rows deleted.`,
      ...erasedBefore(before),
      ...left,
    ],
    exitCode: left.length > 0 ? 1 : 0,
  };
}

/** Counts every key that is gone by this, also where the projector was the faster one. */
async function dropKeys(
  ports: OperatorPorts, subjects: readonly Subject[],
  before: ReadonlyMap<Subject, PersonalKeysInLog>,
): Promise<number> {
  const at_ms = ports.clock.nowMs();
  for (const subject of subjects) {
    // The first time stays: it is the answer that a person got.
    const firstMs = before.get(subject)?.erasedAtMs ?? at_ms;
    await recordPersonalKey(ports, { type: 'PersonalErased', subject, at_ms: firstMs });
  }
  // Read after the denial: the projector drops a key that is made from now on.
  const known = await readPersonalKeys(ports.reader, new Set(subjects));
  const dropped = new Set<string>();
  for (const [subject, { keys }] of before) {
    for (const key_id of keys.keys()) dropped.add(`${subject}|${key_id}`);
  }
  for (const [subject, { keys }] of known) {
    for (const key_id of keys.keys()) {
      await recordPersonalKey(ports, { type: 'PersonalKeyDropped', subject, key_id, at_ms });
      dropped.add(`${subject}|${key_id}`);
    }
  }
  return dropped.size;
}

/** Erases the pictures of shipments; what it cannot reach it says. */
async function erasePictures(
  { images }: OperatorPorts, subjects: readonly Subject[],
): Promise<readonly string[]> {
  const shipments = subjects.filter((subject) => subject.startsWith(SHIPMENT));
  if (images === undefined) {
    return shipments.length === 0 ? [] : [
      'Pictures may be left: set RASTRO_IMAGE_DIR and RASTRO_IMAGE_KEY, and erase again.',
    ];
  }
  for (const subject of shipments) await images.erase(subject.slice(SHIPMENT.length));
  return [];
}

function erasedBefore(before: ReadonlyMap<Subject, PersonalKeysInLog>): readonly string[] {
  return [...before].flatMap(([subject, { erasedAtMs }]) => (
    erasedAtMs === undefined ? [] : [`${subject} was erased before, at ${isoOf(erasedAtMs)}.`]
  ));
}
