import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectReleased, recordRelease } from '../../../scripts/release/released-files.ts';

const SECOND = 'infra/clickhouse/0002_second.sql';
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rastro-released-'));
  mkdirSync(join(root, 'infra/clickhouse'), { recursive: true });
  write('infra/clickhouse/0001_first.sql', 'SELECT 1;\n');
  write(SECOND, 'SELECT 2;\n');
  cpSync('schemas', join(root, 'schemas'), { recursive: true });
  rmSync(join(root, 'schemas/released'), { recursive: true, force: true });
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

function change(path: string, before: string, after: string): void {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toContain(before);
  write(path, text.replace(before, after));
}

describe('the gate of released files', () => {
  it('sees nothing, and so fails, where nothing is released', () => {
    expect(inspectReleased(root)).toEqual({ seen: 0, complaints: [] });
  });

  it('has no complaint of a tree as it was released, and of a migration that follows', () => {
    recordRelease(root, '0.1.0');
    expect(inspectReleased(root)).toEqual({ seen: 3, complaints: [] });
    write('infra/clickhouse/0003_third.sql', 'SELECT 3;\n');
    expect(inspectReleased(root)).toEqual({ seen: 3, complaints: [] });
  });

  it('refuses a released migration that changes, and one that is gone', () => {
    recordRelease(root, '0.1.0');
    write('infra/clickhouse/0001_first.sql', 'SELECT 1; \n');
    rmSync(join(root, SECOND));
    expect(inspectReleased(root).complaints).toEqual([
      'infra/clickhouse/0001_first.sql is not what 0.1.0 released',
      `${SECOND} of 0.1.0 is gone`,
    ]);
  });

  it('refuses a migration that is put before a released one', () => {
    rmSync(join(root, 'infra/clickhouse/0001_first.sql'));
    recordRelease(root, '0.1.0');
    write('infra/clickhouse/0001_first.sql', 'SELECT 1;\n');
    expect(inspectReleased(root).complaints).toEqual([
      'infra/clickhouse/0001_first.sql comes before a migration that is released',
    ]);
  });

  it('refuses a record that loses a member and a topic with other partitions', () => {
    recordRelease(root, '0.1.0');
    change('schemas/records/track-erased.json', '"transport_ids"', '"transports"');
    change('schemas/catalog.json', '"partitions": 12', '"partitions": 13');
    expect(inspectReleased(root).complaints).toEqual([
      'topic rtt.locations.v1 breaks the log of 0.1.0: only optional members and branches may come',
      'TrackErased/transport_ids breaks the log of 0.1.0: only optional members and branches may come',
    ]);
  });

  it('refuses another text of the log that was released', () => {
    recordRelease(root, '0.1.0');
    change('schemas/released/0.1.0.json', '"partitions":12', '"partitions":13');
    expect(inspectReleased(root).complaints).toContain(
      'schemas/released/0.1.0.json is not what 0.1.0 released',
    );
  });
});

describe('what a release records', () => {
  it('is done again by another run for the same release', () => {
    recordRelease(root, '0.1.0');
    write(SECOND, 'SELECT 3;\n');
    expect(inspectReleased(root).complaints).toHaveLength(1);
    recordRelease(root, '0.1.0');
    expect(inspectReleased(root)).toEqual({ seen: 3, complaints: [] });
  });

  it('names only files that no earlier release has', () => {
    recordRelease(root, '0.1.0');
    write('infra/clickhouse/0003_third.sql', 'SELECT 3;\n');
    recordRelease(root, '0.2.0');
    const released = JSON.parse(readFileSync(join(root, 'infra/released.json'), 'utf8')) as Record<string, object>;
    expect(Object.keys(released)).toEqual(['0.1.0', '0.2.0']);
    expect(Object.keys(released['0.2.0'] ?? {})).toEqual([
      'infra/clickhouse/0003_third.sql', 'schemas/released/0.2.0.json',
    ]);
    expect(inspectReleased(root)).toEqual({ seen: 5, complaints: [] });
  });
});
