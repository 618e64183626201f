import type { Operation } from '../../../kernel/http.ts';
import type { Pipeline } from '../../../operator/pipeline/pipeline.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { pipelineResource } from '../pipeline-resource.ts';

/** `GET /operator/pipeline`: topics, workers, stores, outcomes of accepted items, alarms. */
export function showPipeline(pipeline: Pipeline): Operation {
  return defineOperation('show-pipeline', {
    errors: problemErrors,
    handle: async () => ({
      kind: 'answer', status: 200, body: pipelineResource(await pipeline.read()),
    }),
  });
}
