import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes. A clean clone has no times of earlier runs, so they are named. */
export const LONG_FILES: readonly string[] = [
  'test/e2e/pages/pages.test.ts',
  'test/e2e/decisions/decisions.test.ts',
  'test/e2e/settings/shipped.test.ts',
  'test/e2e/two-sides/two-sides.test.ts',
  'test/e2e/start/start.test.ts',
  'test/integration/analysts/archive.test.ts',
  'test/integration/clickhouse/ingest-balances.test.ts',
  'test/e2e/platform/platform.test.ts',
  'test/e2e/platform/crashes.test.ts',
  'test/e2e/live/live.test.ts',
  'test/integration/analysts/export-views.test.ts',
];

/**
 * Begins with the files that take longest: one that began last would run for minutes while the
 * other worker is idle.
 */
export class LongFirst extends BaseSequencer {
  /** The usual order behind the long files. Projects follow one another as always. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const orderOf = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG_FILES.indexOf(relative(project.config.root, moduleId));
      return at === -1 ? LONG_FILES.length : at;
    };
    return usual.toSorted((one, other) => (
      one.project.name === other.project.name ? orderOf(one) - orderOf(other) : 0
    ));
  }
}
