import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { zoneCommand } from '../../../services/cli/zone/command.ts';
import { POINTS_MAX } from '../../../services/cli/zone/shape.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeLogReader, aLogRecord } from '../../support/fake-log-reader.ts';

const RING = [[0, 0], [1, 0], [1, 1], [0, 0]];
const NOW_MS = Date.parse('2026-11-25T00:00:00Z');

let log: FakeRecordLog;
let files: Record<string, string>;
beforeEach(() => {
  log = fakeRecordLog();
  files = {};
});

const feature = (id: string, geometry: object, properties: object = {}) => (
  { type: 'Feature', id, geometry, properties }
);

function zone(...args: string[]) {
  const written = log.appended.map(
    ({ topic, key, value }, at) => aLogRecord(topic, at, value, { key }),
  );
  return zoneCommand({
    log, reader: fakeLogReader(written), clock: { nowMs: () => NOW_MS },
    readFile: (path) => Promise.resolve(files[path]),
  }, args);
}

function imported(...features: readonly object[]) {
  files['zones.geojson'] = JSON.stringify({ type: 'FeatureCollection', features });
  return zone('import', 'zones.geojson');
}

describe('rastro zone', () => {
  it('records circles, each change as the next version under a key of its own', async () => {
    await zone('add', 'depot', '--circle=-23.5,-46.6,250', '--kind', 'depot');
    const again = await zone('add', 'depot', '--circle=-23.5,-46.6,250', '--kind', 'depot');
    expect(again.value).toMatchObject({ recorded: [], unchanged: 1 });
    await zone('add', 'depot', '--circle=-23.5,-46.6,300', '--valid-from', '2026-11-01T00:00:00Z');
    expect((await zone('ls')).lines.join()).toContain('300 m');
    expect((await zone('rm', 'depot')).exitCode).toBe(0);
    expect((await zone('rm', 'depot')).exitCode).toBe(3);
    expect((await zone('ls')).lines).toEqual(['There is no zone.']);
    expect(log.of(TOPICS.zones.name)).toMatchObject([
      { key: 'depot|1', value: { version: 1, kind: 'depot', valid_from_ms: NOW_MS } },
      { key: 'depot|2', value: { version: 2, circle: { radius_m: 300 } } },
      { key: 'depot|3', value: { version: 3, state: 'removed' } },
    ]);
    for (const { value } of log.appended) {
      expect(loadSchemas().checkOf('ZoneRecorded')(value)).toBeUndefined();
    }
  });

  it('imports points with a radius, polygons with holes and multipolygons', async () => {
    const report = await imported(
      feature('p', { type: 'Point', coordinates: [1, 2] }, { radius_m: 50, name: 'P', owner: 'acme' }),
      feature('q', { type: 'Polygon', coordinates: [RING, RING] }),
      feature('m', { type: 'MultiPolygon', coordinates: [[RING], [RING]] }),
    );
    expect(report.lines).toEqual(['3 zones are recorded, 0 say the same already.']);
    expect(log.appended.map(({ value }) => value)).toMatchObject([
      { zone_id: 'p', name: 'P', owner: 'acme', circle: { latitude: 2, longitude: 1, radius_m: 50 } },
      { zone_id: 'q', name: 'q', polygons: [[RING, RING]] },
      { zone_id: 'm', polygons: [[RING], [RING]] },
    ]);
    for (const { value } of log.appended) {
      expect(loadSchemas().checkOf('ZoneRecorded')(value)).toBeUndefined();
    }
  });

  it.each([
    ['no id', [{ type: 'Feature', geometry: null, properties: {} }], 'is not 1 to 64 of a-z'],
    ['an id twice', [
      feature('a', { type: 'Polygon', coordinates: [RING] }),
      feature('a', { type: 'Polygon', coordinates: [RING] }),
    ], 'a is twice'],
    ['a line', [feature('a', { type: 'LineString', coordinates: RING })], 'no Point, Polygon'],
    ['a point alone', [feature('a', { type: 'Point', coordinates: [1, 2] })], 'radius_m'],
    ['an open ring', [feature('a', { type: 'Polygon', coordinates: [[...RING.slice(0, 3), [2, 2]]] })], 'not closed'],
    ['three points', [feature('a', { type: 'Polygon', coordinates: [RING.slice(1)] })], 'less than four'],
    ['a latitude of 91', [feature('a', { type: 'Polygon', coordinates: [[[0, 91], ...RING]] })], 'within -180 to 180'],
    ['a zone around the world', [feature('a', {
      type: 'Polygon', coordinates: [[[-179, 0], [179, 0], [179, 1], [-179, 0]]],
    })], '180th meridian'],
    ['too many points', [feature('a', {
      type: 'Polygon', coordinates: [[...Array.from({ length: POINTS_MAX }, () => [0, 0]), [0, 0]]],
    })], `at most ${POINTS_MAX}`],
  ])('refuses a file with %s, and records nothing of it', async (_what, features, sentence) => {
    const good = feature('good', { type: 'Polygon', coordinates: [RING] });
    const report = await imported(good, ...features);
    expect(report.exitCode).toBe(2);
    expect(report.lines.join()).toContain(sentence);
    expect(log.appended).toEqual([]);
  });

  it('takes as many points as are allowed', async () => {
    const ring = [...Array.from({ length: POINTS_MAX - 1 }, () => [0, 0]), [0, 0]];
    expect((await imported(feature('a', { type: 'Polygon', coordinates: [ring] }))).exitCode).toBe(0);
  });

  it.each([
    ['--circle=1,2'], ['--circle=91,0,5'], ['--circle=1,2,0'], ['--circle=1,2,1000001'],
    ['--circle=1,2,3', '--valid-from', 'soon'],
    ['--circle=1,2,3', '--valid-from', '2026-02-01T00:00:00Z', '--valid-to', '2026-01-01T00:00:00Z'],
  ])('refuses %s', async (...options) => {
    expect((await zone('add', 'a', ...options)).exitCode).toBe(2);
    expect(log.appended).toEqual([]);
  });
});
