import { isFields } from '../../kernel/json-fields.ts';
import type { ZoneDraft } from '../../domain/zone/zone.ts';
import { shapeOf } from './shape.ts';

/** What a zone says beside its shape. */
export type ZoneWords = Pick<ZoneDraft, 'name' | 'kind' | 'owner'>;

/** The zones of a file, or what is wrong with it, feature by feature. */
export type ZonesReading =
  | { readonly ok: true; readonly drafts: readonly ZoneDraft[] }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Most features of a file. */
export const FEATURES_MAX = 10_000;
/** Form of the id of a zone. */
export const ZONE_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NAME_CHARACTERS_MAX = 255;

/**
 * Reads a GeoJSON FeatureCollection: the id of each feature, or its property `zone_id`, is the
 * zone; `name`, `kind`, `owner` and `radius_m` of a point are properties. Nothing of a file with a
 * fault is taken.
 */
export function readZonesFile(
  text: string, validity: Pick<ZoneDraft, 'valid_from_ms' | 'valid_to_ms'>,
): ZonesReading {
  const features = featuresOf(text);
  if (typeof features === 'string') return { ok: false, faults: [features] };
  if (features.length > FEATURES_MAX) {
    const fault = `The file has ${features.length} features, at most ${FEATURES_MAX} are taken.`;
    return { ok: false, faults: [fault] };
  }
  const drafts: ZoneDraft[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [index, feature] of features.entries()) {
    const draft = draftOf(feature, validity);
    if (typeof draft === 'string') faults.push(`/features/${index}: ${draft}.`);
    else if (seen.has(draft.zone_id)) faults.push(`/features/${index}: ${draft.zone_id} is twice.`);
    else {
      seen.add(draft.zone_id);
      drafts.push(draft);
    }
  }
  return faults.length === 0 ? { ok: true, drafts } : { ok: false, faults };
}

function featuresOf(text: string): readonly unknown[] | string {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return 'The file holds no JSON.';
  }
  if (!isFields(file)) return 'The file holds no GeoJSON object.';
  if (file['type'] === 'Feature') return [file];
  const { features } = file;
  if (file['type'] !== 'FeatureCollection' || !Array.isArray(features)) {
    return 'The file holds no GeoJSON FeatureCollection.';
  }
  return features as unknown[];
}

function draftOf(
  feature: unknown, validity: Pick<ZoneDraft, 'valid_from_ms' | 'valid_to_ms'>,
): ZoneDraft | string {
  if (!isFields(feature)) return 'it is no feature';
  const properties = isFields(feature['properties']) ? feature['properties'] : {};
  const id = feature['id'] ?? properties['zone_id'];
  const zone_id = typeof id === 'number' ? String(id) : id;
  if (typeof zone_id !== 'string' || !ZONE_ID.test(zone_id)) {
    return 'its id, or properties.zone_id, is not 1 to 64 of a-z, 0-9, _ and -';
  }
  const words = wordsOf({ ...properties, name: properties['name'] ?? zone_id });
  if (typeof words === 'string') return words;
  const shape = shapeOf(feature['geometry'], properties['radius_m']);
  return typeof shape === 'string' ? shape : { zone_id, ...words, ...shape, ...validity };
}

/** Name, kind and owner, as far as they are given. */
export function wordsOf(given: Readonly<Record<string, unknown>>): ZoneWords | string {
  const words: Record<string, string> = {};
  for (const word of ['name', 'kind', 'owner']) {
    const text = given[word];
    if (text === undefined || text === null) continue;
    if (typeof text !== 'string' || text === '' || text.length > NAME_CHARACTERS_MAX) {
      return `${word} is no text of 1 to ${NAME_CHARACTERS_MAX} characters`;
    }
    words[word] = text;
  }
  const { name = '', ...rest } = words;
  return { name, ...rest };
}
