import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentOf } from '../../containers/images/context.ts';
import { edit, tagAfter, tagOf } from '../../containers/product.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rastro-product-'));
  onTestFinished(() => { rmSync(made, { recursive: true }); });
  return made;
}

describe('the copy of the product', () => {
  it('has the tag of the compose file, and the next one after it', () => {
    expect(tagOf(process.cwd())).toMatch(/^\d+\.\d+\.\d+$/);
    expect(tagAfter('0.1.9')).toBe('0.1.10');
  });

  it('is edited and put back, and an edit that finds nothing is refused', () => {
    const dir = folder();
    writeFileSync(join(dir, 'file'), 'one two');
    const undo = edit(dir, { file: 'file', text: 'two', instead: 'three' });
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('one three');
    undo();
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('one two');
    expect(() => edit(dir, { file: 'file', text: 'four', instead: '' })).toThrow(/has no "four"/);
  });
});

describe('the content of a folder', () => {
  it('changes with a byte, a name and what is beside it', () => {
    const dir = folder();
    writeFileSync(join(dir, 'a'), '1');
    const first = contentOf(dir, 'x');
    expect(contentOf(dir, 'x')).toBe(first);
    expect(contentOf(dir, 'y')).not.toBe(first);
    writeFileSync(join(dir, 'a'), '2');
    const second = contentOf(dir, 'x');
    expect(second).not.toBe(first);
    writeFileSync(join(dir, 'b'), '');
    expect(contentOf(dir, 'x')).not.toBe(second);
  });
});
