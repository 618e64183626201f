import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { ROOT_DIR } from '../../../infra/local/processes/process.ts';
import { LONG_FILES, LongFirst } from '../../support/long-first.ts';

const cache = { getTestSpecificationResult: () => undefined };
const order = new LongFirst({ cache } as unknown as Vitest);

function specOf(file: string, name: string): TestSpecification {
  const config = { root: ROOT_DIR, isolate: true, sequence: { groupOrder: 0 } };
  const spec = { moduleId: join(ROOT_DIR, file), project: { name, config } };
  return spec as unknown as TestSpecification;
}

describe('the order of test files', () => {
  it('names files that there are', () => {
    expect(LONG_FILES.filter((file) => !existsSync(join(ROOT_DIR, file)))).toEqual([]);
  });

  it('begins with the long ones of a project, and leaves projects one after the other', async () => {
    const short = 'test/integration/clickhouse/ingest.test.ts';
    const alone = 'test/unit/scripts/usage.test.ts';
    const files = [
      specOf(short, 'stack'), ...LONG_FILES.toReversed().map((file) => specOf(file, 'stack')),
      specOf(alone, 'alone'),
    ];
    const sorted = await order.sort(files);
    expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
      [alone, ...LONG_FILES, short].map((file) => join(ROOT_DIR, file)),
    );
  });
});
