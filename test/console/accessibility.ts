import axe from 'axe-core';
import type { Page } from 'playwright-core';

const COUNTED = ['serious', 'critical'];

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * What axe-core finds on a page as it is now, of impact serious or critical: its rule and the
 * element. The browser is given axe beside the policy of the page, which holds for the page alone.
 */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations: readonly Violation[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations.filter(({ impact }) => COUNTED.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
