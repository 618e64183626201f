import type { ProviderScoresResource } from '../../../../schemas/generated/types.ts';
import type { Pause } from '../../../kernel/clock.ts';
import type { Operation } from '../../../kernel/http.ts';
import type { ProviderQuality } from '../../../kernel/provider-quality.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { createTenantReads } from '../../common/tenant-slots.ts';

/**
 * `GET …/scores`: how good what the caller's providers sent is, over the last days that are
 * computed. A user reads one at a time.
 */
export function showScores(quality: ProviderQuality, pause: Pause): Operation {
  const readInSlot = createTenantReads('scores', pause);
  return defineOperation('show-scores', {
    errors: problemErrors,
    handle: ({ caller: { userId, providers } }) => readInSlot(userId, async () => {
      const found = await quality.find(providers);
      const body: ProviderScoresResource = found === undefined ? { providers: [] } : {
        since: new Date(found.sinceMs).toISOString(), until: new Date(found.untilMs).toISOString(),
        providers: found.scores.map((score) => ({ ...score })),
      };
      return { kind: 'answer', status: 200, body };
    }),
  });
}
