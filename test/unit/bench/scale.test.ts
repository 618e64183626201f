import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../scale/fleet-sql.ts';
import { MORE_QUESTIONS } from '../../scale/more-questions.ts';
import { progressOf } from '../../scale/progress.ts';
import { COOKBOOK_BUDGETS } from '../../scale/questions.ts';

describe('the gate at size', () => {
  it('reports how much of a step is done and how long the rest takes', () => {
    const lines: string[] = [];
    let nowMs = 0;
    const say = progressOf((line) => { lines.push(line); }, 4, 'days are in', () => nowMs);
    nowMs = 120_000;
    say(1);
    nowMs = 480_000;
    say(4);
    expect(lines).toEqual(['1 of 4 days are in, 6 min left', '4 of 4 days are in']);
  });

  it('has a budget for each file of the cookbook and each further question', () => {
    const files = readdirSync(join(process.cwd(), 'docs', 'queries'))
      .filter((name) => name.endsWith('.sql')).map((name) => name.slice(0, -'.sql'.length));
    expect(Object.keys(COOKBOOK_BUDGETS).toSorted()).toEqual(files.toSorted());
    expect(new Set(MORE_QUESTIONS.map(({ name }) => name)).size).toBe(MORE_QUESTIONS.length);
    expect(MORE_QUESTIONS.every(({ budget }) => budget !== undefined)).toBe(true);
  });

  it('names devices by UUIDs', () => {
    expect(deviceOf(7)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
