import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DOCUMENTATION_DIR, makeDocumentation, type Making,
} from '../../../infra/local/demo/make-documentation.ts';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-making-'));
  said = [];
});
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

function make(script: string): Making {
  const path = join(folder, 'script.mjs');
  writeFileSync(path, script);
  return makeDocumentation((grade, line) => { said.push(`${grade}: ${line}`); }, path);
}

describe('the documentation beside a start', () => {
  it('is made where gateways find it, by a process that leaves the machine to others', async () => {
    await make(`
      import { getPriority } from 'node:os';
      if (process.argv[3] !== ${JSON.stringify(DOCUMENTATION_DIR)}) process.exit(1);
      const isOver = Date.now() + 10_000;
      while (getPriority() !== 19 && Date.now() < isOver);
      process.exit(getPriority() === 19 ? 0 : 1);
    `).ended;
    expect(said).toEqual([]);
  });

  it('is missed with one line that says why', async () => {
    await make("throw new Error('no room')").ended;
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^warning: the documentation was not made, .*no room/s);
  });

  it('is missed in production, where its packages are not', async () => {
    await make("import '@rastro/not-installed'").ended;
    expect(said).toEqual([
      'warning: the documentation was not made, /docs shows the interface alone:'
      + " Cannot find package '@rastro/not-installed'",
    ]);
  });

  it('is given up silently when everything ends', async () => {
    const making = make('setInterval(() => {}, 1_000)');
    making.stop();
    await making.ended;
    expect(said).toEqual([]);
  });
});
