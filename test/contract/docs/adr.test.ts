import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('docs/adr/README.md', () => {
  it('names every decision record, in order', () => {
    const records = readdirSync('docs/adr').filter((name) => /^\d{4}-/.test(name)).toSorted();
    const named = [...readFileSync('docs/adr/README.md', 'utf8')
      .matchAll(/^\| \[(\d{4})\]\((\S+)\) \| .+ \|$/gm)];
    expect(named.map(([, , file]) => file)).toEqual(records);
    expect(named.filter(([, number = '?', file]) => file?.startsWith(`${number}-`) !== true)).toEqual([]);
  });
});
