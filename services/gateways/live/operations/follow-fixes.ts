import { fleetOf, type Viewer } from '../../../domain/live/scope.ts';
import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { badChoice, badFilter } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import type { LiveFeeds } from '../create-live.ts';
import { acceptedFormat, BINARY_FIXES, EVENTS } from './choose-format.ts';
import { takeViewer } from './take-viewer.ts';

interface FixCall {
  readonly caller: AdmittedCaller;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
}

/** `GET …/live/positions`: devices of the caller, or of all clients for the platform. */
export function followFixes(live: LiveFeeds): readonly Operation[] {
  return [
    defineOperation('follow-fixes', {
      errors: problemErrors,
      handle: (call) => follow(live, call, {
        kind: 'client', clientId: call.caller.clientId, providers: [], seesCommands: false,
      }),
    }),
    defineOperation('follow-platform-fixes', {
      errors: problemErrors,
      handle: (call) => follow(live, call, { kind: 'platform' }),
    }),
  ];
}

async function follow(
  live: LiveFeeds, { caller, query, header }: FixCall, viewer: Viewer,
): Promise<Answer> {
  const { provider, format = acceptedFormat(header('accept')), states = 'false' } = query;
  const refusal = viewer.kind === 'platform' ? badFilter(query, ['provider']) : undefined;
  if (refusal !== undefined) return refusal;
  if (format !== 'json' && format !== 'binary') {
    return badChoice('format', format, ['json', 'binary']);
  }
  if (states !== 'true' && states !== 'false') {
    return badChoice('states', states, ['true', 'false']);
  }
  const whose = fleetOf(viewer);
  if (whose === 'none') throw new Error('Such a caller has no positions to follow.');
  const contentType = format === 'json' ? EVENTS : BINARY_FIXES;
  return takeViewer(live, caller, contentType, (line) => live.fixes.join({
    whose, provider: viewer.kind === 'platform' ? provider : undefined, format,
    states: states === 'true', lastEventId: header('last-event-id'),
  }, line));
}
