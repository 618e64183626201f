import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTree } from '../../../scripts/check/tidy/tree.ts';
import { asyncapiFile } from '../../../scripts/generate/asyncapi.ts';
import { readSource } from '../../../scripts/generate/source.ts';
import { releasesOf } from '../../../scripts/release/changelog.ts';
import {
  productVersion, saidVersions, VERSION_MENTIONS,
} from '../../../scripts/release/version-mentions.ts';

const ROOT = process.cwd();
const VERSION = productVersion(ROOT);
const read = (path: string): string => readFileSync(path, 'utf8');
const versionIn = (text: string): string => (
  (JSON.parse(text) as { info: { version: string } }).info.version
);

/** What a release names by its version, in files that only other places are written from. */
const NAMED = /\brastro(?:-provider|-client-kit)?[:-](\d+\.\d+\.\d+)/g;

describe('the version of the product', () => {
  it('is the same in every package, client, image and page that says it', () => {
    const said = saidVersions(ROOT);
    expect(said.length).toBeGreaterThan(20);
    expect(said.filter(({ version }) => version !== VERSION)).toEqual([]);
  });

  it.each(VERSION_MENTIONS)('is said in $files', ({ files, says }) => {
    const texts = globSync(files).map(read);
    expect(texts.some((text) => new RegExp(says.source, 'm').test(text))).toBe(true);
  });

  it('is the one of every image and package that a tracked file names', () => {
    const named = readTree(ROOT)
      .filter(({ path }) => /^(infra|services|docs\/how-to|docs\/tutorials)\//.test(path))
      .flatMap(({ path, text }) => (
        [...text.matchAll(NAMED)].map(([, version]) => ({ path, version }))
      ));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ version }) => version !== VERSION)).toEqual([]);
  });

  it('is the newest release of the changelog, which has a day and what is unreleased above it', () => {
    const changelog = read('CHANGELOG.md');
    expect(releasesOf(changelog)[0]).toEqual({
      version: VERSION, day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
    });
    expect(/^## .*$/m.exec(changelog)?.[0]).toBe('## Unreleased');
  });

  it('is the newest one whose files are fixed', () => {
    const released = JSON.parse(read('infra/released.json')) as Record<string, unknown>;
    expect(Object.keys(released).at(-1)).toBe(VERSION);
  });
});

describe('the version of the contract', () => {
  it('is the same in the catalog and in the documents of the interface', () => {
    const source = readSource('schemas');
    expect([versionIn(read('schemas/generated/openapi.json')), versionIn(asyncapiFile(source))])
      .toEqual([source.catalog.version, source.catalog.version]);
  });
});
