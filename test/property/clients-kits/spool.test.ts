import {
  cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SpoolDraft } from '../../../services/clients/typescript/src/entry.ts';
import { SpoolDamaged, SpoolInUse } from
  '../../../services/clients/typescript/src/errors.ts';
import type { Outbox } from '../../../services/clients/typescript/src/outbox.ts';
import { openSpool } from '../../../services/clients/typescript/src/spool.ts';

const draft = (nth: number, size = 20): SpoolDraft => ({
  head: { call: 'locations', key: `d${nth % 3}`, items: 1 },
  body: Buffer.from(`body ${nth} ${'é\n'.repeat(nth % size)}`),
});
const drafts = (from: number, to: number): SpoolDraft[] => (
  Array.from({ length: to - from }, (_, index) => draft(from + index))
);

async function bodiesOf(spool: Outbox): Promise<readonly string[]> {
  return Promise.all(spool.left.map(async (entry) => (await spool.read(entry)).toString()));
}
const textsOf = (of: readonly SpoolDraft[]): readonly string[] => (
  of.map(({ body }) => body.toString()));
const segments = (dir: string): readonly string[] => (
  readdirSync(dir).filter((name) => name.endsWith('.segment')).sort()
);

let home: string;
let dir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'rastro-spool-'));
  dir = join(home, 'spool');
});
afterEach(() => { rmSync(home, { recursive: true, force: true }); });
const open = (at = dir, segmentBytes = 1_000_000): Promise<Outbox> => (
  openSpool({ dir: at, segmentBytes }));

describe('a process that is killed at any byte', () => {
  it('of a write leaves all that was safe, and nothing half', async () => {
    const spool = await open();
    const ends: number[] = [];
    for (const each of drafts(0, 6)) {
      await spool.append([each]);
      ends.push(readFileSync(join(dir, '000000000001.segment')).length);
    }
    await spool.close();
    const copy = join(home, 'copy');
    for (let bytes = 0; bytes <= (ends.at(-1) ?? 0); bytes += 1) {
      rmSync(copy, { recursive: true, force: true });
      cpSync(dir, copy, { recursive: true });
      truncateSync(join(copy, '000000000001.segment'), bytes);
      const again = await open(copy);
      const whole = ends.filter((end) => end <= bytes).length;
      expect(await bodiesOf(again), `cut at byte ${bytes}`).toEqual(textsOf(drafts(0, whole)));
      await again.append([draft(100)]);
      await again.close();
      const third = await open(copy);
      expect(await bodiesOf(third), `after byte ${bytes}`).toEqual(textsOf([...drafts(0, whole), draft(100)]));
      await third.close();
    }
  });

  it('of the committed file sends more again, and never less', async () => {
    const spool = await open();
    const entries = await spool.append(drafts(0, 6));
    entries.slice(0, 4).forEach(spool.finish);
    await spool.close();
    const whole = readFileSync(join(dir, 'committed'));
    const all = textsOf(drafts(0, 6));
    for (let bytes = 0; bytes <= whole.length; bytes += 1) {
      writeFileSync(join(dir, 'committed'), whole.subarray(0, bytes));
      const again = await open();
      expect(await bodiesOf(again)).toEqual(bytes === whole.length ? all.slice(4) : all);
      await again.close();
    }
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const turned = Buffer.from(whole);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(join(dir, 'committed'), turned);
      const again = await open();
      expect(again.left.length, `bit ${bit}`).toBe(6);
      await again.close();
    }
  });

  it('leaves zeros or other bytes after the end: they are cut off', async () => {
    for (const garbage of [Buffer.alloc(4_096), Buffer.from('xyzxyzxyzxyzxyz'), Buffer.alloc(40, 0xff)]) {
      rmSync(dir, { recursive: true, force: true });
      const spool = await open();
      await spool.append(drafts(0, 2));
      await spool.close();
      writeFileSync(join(dir, '000000000001.segment'), garbage, { flag: 'a' });
      const again = await open();
      expect(await bodiesOf(again)).toEqual(textsOf(drafts(0, 2)));
      await again.close();
    }
  });
});

describe('any life of a spool', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant('finish' as const), of: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ kind: fc.constant('crash' as const), torn: fc.integer({ min: 0, max: 30 }) }),
  );

  it('loses no entry without an answer, keeps the order and the bytes, and frees what it took', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      rmSync(dir, { recursive: true, force: true });
      let spool = await open(dir, 150);
      let waiting: { readonly text: string; readonly entry: Outbox['left'][number] }[] = [];
      let count = 0;
      let used = 0;
      for (const each of steps) {
        if (each.kind === 'append') {
          const added = drafts(count, count + each.count);
          count += each.count;
          const entries = await spool.append(added);
          used += entries.reduce((sum, { cost }) => sum + cost, 0);
          waiting.push(...entries.map((entry, index) => (
            { entry, text: added[index]!.body.toString() })));
        } else if (each.kind === 'finish') {
          const [done] = waiting.splice(each.of % Math.max(1, waiting.length), 1);
          if (done !== undefined) used -= spool.finish(done.entry);
        } else {
          await spool.close();
          const last = segments(dir).at(-1);
          if (last !== undefined) writeFileSync(join(dir, last), Buffer.alloc(each.torn, 7), { flag: 'a' });
          spool = await open(dir, 150);
          const texts = await bodiesOf(spool);
          // In their order, with all that have no answer among them.
          const kept = waiting.map(({ text }) => text);
          expect(texts.filter((text) => kept.includes(text))).toEqual(kept);
          expect(texts.map((text) => Number(text.split(' ')[1]))).toEqual(
            texts.map((text) => Number(text.split(' ')[1])).sort((one, other) => one - other),
          );
          if (kept.length > 0) expect(texts[0]).toBe(kept[0]);
          waiting = spool.left.map((entry, index) => ({ entry, text: texts[index]! }));
          used = spool.left.reduce((sum, { cost }) => sum + cost, 0);
        }
        if (waiting.length === 0) expect(used).toBe(0);
      }
      for (const { entry } of waiting) used -= spool.finish(entry);
      expect(used).toBe(0);
      await spool.close();
      expect(segments(dir).length).toBeLessThanOrEqual(1);
    }), { numRuns: 60 });
  });
});

describe('a spool', () => {
  it('has one owner, also in one process, and a dead one is none', async () => {
    const spool = await open();
    await expect(open()).rejects.toThrow(SpoolInUse);
    const own = readFileSync(join(dir, 'owner'), 'utf8');
    await spool.close();
    const [pid = '', start = '', boot = ''] = own.split(' ');
    // The pid of a running process that began at another time, of another boot, and of none.
    for (const dead of [`${pid} ${Number(start) + 1} ${boot}`, `${pid} ${start} other`, '999999999 1 x', '']) {
      writeFileSync(join(dir, 'owner'), dead);
      await (await open()).close();
    }
  });

  it('reports damage before later segments, and cuts nothing off there', async () => {
    const spool = await open(dir, 1);
    await spool.append([draft(1)]);
    await spool.append([draft(2)]);
    await spool.close();
    const [first = ''] = segments(dir);
    const bytes = readFileSync(join(dir, first));
    bytes[12] = (bytes[12] ?? 0) ^ 1;
    writeFileSync(join(dir, first), bytes);
    await expect(open()).rejects.toThrow(SpoolDamaged);
    expect(readFileSync(join(dir, first))).toEqual(bytes);
  });

  it('gives no number of a segment again, also when all files were taken away', async () => {
    const spool = await open(dir, 1);
    for (const each of drafts(0, 3)) (await spool.append([each])).forEach(spool.finish);
    await spool.close();
    for (const name of segments(dir)) rmSync(join(dir, name));
    const again = await open();
    await again.append([draft(9)]);
    await again.close();
    const third = await open();
    expect(await bodiesOf(third)).toEqual(textsOf([draft(9)]));
    await third.close();
  });

  it('takes nothing more after a write that failed', async () => {
    const spool = await open(dir, 1);
    await spool.append([draft(1)]);
    writeFileSync(join(dir, '000000000002.segment'), '');
    await expect(spool.append([draft(2)])).rejects.toThrow('EEXIST');
    await expect(spool.append([draft(3)])).rejects.toThrow('EEXIST');
    await expect(spool.close()).rejects.toThrow('EEXIST');
  });
});
