import type { Operation } from '../../../kernel/http.ts';
import type { TraceableFixes } from '../../../kernel/traceables.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { traceablePosition, type PositionView } from '../../common/position-resource.ts';
import { noPosition } from '../../common/refusals.ts';

/** `GET …/traceables/{type}/{id}/last_position`: where something carried was last. */
export function showTraceableFix(
  ports: PositionView & { readonly traceables: TraceableFixes },
): Operation {
  return defineOperation('show-traceable-fix', {
    errors: problemErrors,
    async handle({ caller, params }) {
      const fix = await ports.traceables.find(
        caller.clientId, params.traceable_type, params.traceable_id,
      );
      if (fix === undefined) return noPosition();
      return { kind: 'answer', status: 200, body: traceablePosition(fix, ports) };
    },
  });
}
