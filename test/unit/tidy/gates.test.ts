import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGate } from '../../../scripts/check/gate.ts';
import type { GateVerdict } from '../../../scripts/check/gate.ts';
import { deadCodeGate, layersGate, lintGate, typesGate } from '../../../scripts/check/gates.ts';
import { crossings, lintSeeds, typeSeeds } from './seeds.ts';

const home = process.cwd();
const copied = ['tsconfig.json', 'services/domain/tsconfig.json', 'package.json', 'scripts/quality'];
const gateMsMax = 60_000;
let root = '';

/** A small tree with the real tools and the real configuration, and seeded offences. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rastro-gates-'));
  for (const path of copied) {
    cpSync(join(home, path), join(root, path), { recursive: true });
  }
  symlinkSync(join(home, 'node_modules'), join(root, 'node_modules'));
  for (const room of ['test', 'schemas/generated']) plant(`${room}/keep.ts`, 'export {};\n');
  for (const seeds of [crossings, lintSeeds, typeSeeds]) {
    for (const seed of seeds) {
      for (const [path, text] of Object.entries(seed.files)) plant(path, text);
    }
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe('a gate', () => {
  it('fails when it saw nothing, even without a complaint', async () => {
    const inspect = async () => ({ seen: 0, complaints: [] });
    const verdict = await runGate({ name: 'blind', unit: 'files', inspect }, root);
    expect(verdict).toMatchObject({ passed: false, complaints: [expect.stringMatching(/saw no files/)] });
  });

  it('fails when it breaks', async () => {
    const inspect = async () => Promise.reject(new Error('no tool'));
    const verdict = await runGate({ name: 'broken', unit: 'files', inspect }, root);
    expect(verdict).toMatchObject({ passed: false, complaints: ['broke: no tool'] });
  });
});

describe('the layers gate', () => {
  let verdict: GateVerdict;
  beforeAll(async () => {
    verdict = await runGate(layersGate(), root);
  }, gateMsMax);

  it('has a seeded crossing for every law', () => {
    const config = join(home, 'scripts/quality/dependency-cruiser.cjs');
    const laws = createRequire(import.meta.url)(config) as { forbidden: { name: string }[] };
    const names = new Set(crossings.map((seed) => seed.rule));
    expect([...names].sort()).toEqual(laws.forbidden.map((law) => law.name).sort());
  });

  it.each(crossings)('catches $rule in $offender', ({ rule, offender }) => {
    const caught = verdict.complaints.filter((text) => text.startsWith(`${rule}: ${offender} `));
    expect(caught).not.toEqual([]);
  });

  it('lets the ways pass that the house allows', () => {
    const innocent = verdict.complaints.filter((text) => text.includes('allowed'));
    expect(innocent).toEqual([]);
    expect(verdict.seen).toBeGreaterThan(20);
  });
});

describe('the lint gate', () => {
  let verdict: GateVerdict;
  beforeAll(async () => {
    verdict = await runGate(lintGate(), root);
  }, gateMsMax);

  it.each(lintSeeds)('catches $rule in $offender', ({ rule, offender }) => {
    const caught = verdict.complaints.filter(
      (text) => text.startsWith(`${offender}:`) && text.includes(` ${rule}: `),
    );
    expect(caught).not.toEqual([]);
  });
});

describe('the types gates', () => {
  it.each(typeSeeds)('$rule catches $offender', async ({ rule, project, room, offender }) => {
    const verdict = await runGate(typesGate(rule, project, room), root);
    const caught = verdict.complaints.filter((text) => text.startsWith(offender));
    expect(caught.length).toBeGreaterThanOrEqual(1);
    expect(verdict.seen).toBeGreaterThan(0);
  }, gateMsMax);

  it('keeps process, timers, console, fetch and crypto out of the domain', async () => {
    const gate = typesGate('domain types', 'services/domain/tsconfig.json', 'services/domain/');
    const verdict = await runGate(gate, root);
    const all = verdict.complaints.join('\n');
    for (const name of ['process', 'setTimeout', 'console', 'fetch', 'crypto']) {
      expect(all).toContain(`'${name}'`);
    }
  }, gateMsMax);
});

describe('the dead code gate', () => {
  it('names a file that nobody imports', async () => {
    const verdict = await runGate(deadCodeGate(), root);
    expect(verdict.complaints.join('\n')).toContain('services/gateways/lonely.ts: unused files');
    expect(verdict.seen).toBeGreaterThan(0);
  }, gateMsMax);
});
