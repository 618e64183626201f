import type { Clock } from '../../../kernel/clock.ts';
import type { Operation } from '../../../kernel/http.ts';
import type { TraceableFixes } from '../../../kernel/traceables.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { traceablePosition } from '../../common/position-resource.ts';
import { noPosition } from '../../common/refusals.ts';

/** `GET …/traceables/{type}/{id}/last_position`: where something carried was last. */
export function showTraceableFix(
  ports: { readonly traceables: TraceableFixes; readonly clock: Clock },
): Operation {
  return defineOperation('show-traceable-fix', {
    errors: problemErrors,
    async handle({ caller, params }) {
      const fix = await ports.traceables.find(
        caller.clientId, params.traceable_type, params.traceable_id,
      );
      if (fix === undefined) return noPosition();
      const body = traceablePosition(fix, ports.clock.nowMs());
      return { kind: 'answer', status: 200, body };
    },
  });
}
