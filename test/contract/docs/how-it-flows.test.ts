import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { STAGES } from '../../../services/adapters/http/stages.ts';
import { WORKERS } from '../../../services/workers/workers.ts';

const PAGE = readFileSync('docs/explanation/how-it-flows.md', 'utf8');

const FILE = /\b(?:services|schemas|infra)\/[a-zA-Z0-9_./-]*\.[a-z]+\b/g;
const STAGE = /\bstage ([a-z][a-z-]*)/g;
const TOPIC = /\b[a-z]+(?:[.-][a-z-]+)*\.v\d+\b/g;

const stages = new Set<string>([
  ...STAGES.map(({ name }) => name),
  ...WORKERS.flatMap((worker) => worker.stages.map(({ name }) => name)),
]);
const topics = new Set<string>(Object.values(TOPICS).map(({ name }) => name));

/** Names in a page that nothing in the tree has. */
function strangersIn(page: string): readonly string[] {
  return [
    ...(page.match(FILE) ?? []).filter((path) => !existsSync(path)),
    ...[...page.matchAll(STAGE)].map(([, name = '']) => name).filter((name) => !stages.has(name)),
    ...(page.match(TOPIC) ?? []).filter((name) => !topics.has(name)),
  ];
}

describe('the page of how it flows', () => {
  it('names only files, stages and topics that exist', () => {
    expect(strangersIn(PAGE)).toEqual([]);
  });

  it('names every stage of a request', () => {
    for (const { name } of STAGES) expect(PAGE).toContain(`stage ${name}`);
  });

  it('has a diagram for each of the four ways', () => {
    expect(PAGE.match(/^## /gm)).toHaveLength(4);
    expect(PAGE.match(/^```mermaid$/gm)).toHaveLength(4);
  });

  it('would be found out with a name that is nowhere', () => {
    const page = 'services/kernel/nowhere.ts, stage unheard-of, made.up.v1, stage headers';
    expect(strangersIn(page)).toEqual(['services/kernel/nowhere.ts', 'unheard-of', 'made.up.v1']);
  });
});
