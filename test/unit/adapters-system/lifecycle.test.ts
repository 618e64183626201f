import { fakeSignals } from '../../support/fake-signals.ts';
import { describe, expect, it } from 'vitest';
import { createLifecycle } from '../../../services/adapters/system/lifecycle.ts';

function lifecycleWith(releaseMsMax: number) {
  const failed: unknown[] = [];
  const lifecycle = createLifecycle({ releaseMsMax }, fakeSignals({
    line: (_level, event, { part }) => { failed.push([event, part]); },
  }));
  return { lifecycle, failed };
}

describe('what a process acquired', () => {
  it('is given back, the last first, also after one that fails', async () => {
    const { lifecycle, failed } = lifecycleWith(5_000);
    const story: string[] = [];
    lifecycle.onRelease('first', () => { story.push('first'); });
    lifecycle.onRelease('bad', () => { throw new Error('as the test asked'); });
    lifecycle.onRelease('last', async () => { story.push('last'); });
    await lifecycle.release();
    expect(story).toEqual(['last', 'first']);
    expect(failed).toEqual([['release_failed', 'bad']]);
  });

  it('does not wait for a part that hangs, such as a rebuild on a log that is gone', async () => {
    const { lifecycle, failed } = lifecycleWith(20);
    const story: string[] = [];
    lifecycle.onRelease('first', () => { story.push('first'); });
    lifecycle.onRelease('hangs', () => new Promise(() => undefined));
    await lifecycle.release();
    expect(story).toEqual(['first']);
    expect(failed).toEqual([['release_failed', 'hangs']]);
  });
});
