import { describe, expect, it } from 'vitest';
import { pageOf } from '../../scale/page.ts';
import type { ScaleResult, ScaleRow } from '../../scale/run-scale.ts';

const row = (name: string, isWithin: boolean): ScaleRow => ({
  name, budget: { seconds: 1, megaRows: 10 }, isWithin,
  answered: {
    ok: true,
    cost: {
      answeredRows: 3, seconds: isWithin ? 0.5 : 1.5, megaRows: 1, megaBytes: 2, memoryMegaBytes: 4,
    },
  },
});

describe('the page of questions at size', () => {
  const result = {
    fleet: { devices: 10, days: 2 }, tables: [], rows: [row('quick', true), row('slow', false)],
  } as unknown as ScaleResult;
  const page = pageOf(result, 'npm run scale', 'abcd1234', '2 cores');

  it('counts what is over its budget, and says which', () => {
    expect(page).toContain('**1 within their budget, 1 not.**');
    expect(page).toContain('| slow | 3 | 1.50 | 1 | 1.0 | 10 | 2 | 4 | no |');
  });

  it('gives each question that may have no answer a line of its own', () => {
    expect(page.match(/^- `\S+` may have no answer: .+\.$/gm)).toHaveLength(2);
    expect(page.endsWith('.\n')).toBe(true);
  });
});
