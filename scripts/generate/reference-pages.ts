import type { Source } from './source.ts';

/**
 * The pages of docs/reference that are generated whole, with their texts. What makes them is
 * imported only here, because it reads files that were generated just before.
 */
export async function referencePages(
  source: Source,
): Promise<readonly (readonly [page: string, text: string])[]> {
  const { magicIdsPage } = await import('./magic-ids-page.ts');
  const { metricsPage } = await import('./metrics-page.ts');
  const { settingsPage } = await import('./settings-page.ts');
  const { topicsPage } = await import('./topics-page.ts');
  return [
    ['docs/reference/magic-ids.md', magicIdsPage(source)],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/topics.md', topicsPage(source)],
  ];
}
