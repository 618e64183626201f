import { FACT_KINDS, type FactKind, type Viewer } from '../../../domain/live/scope.ts';
import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { badChoices } from '../../common/page.ts';
import { notificationErrors } from '../../common/notification-errors.ts';
import { problemErrors } from '../../common/problem.ts';
import type { LiveFeeds } from '../create-live.ts';
import { audience } from '../facts/feed-fact.ts';
import { takeViewer } from './take-viewer.ts';

interface FactCall {
  readonly caller: AdmittedCaller;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
}

/** A receipt for each call is as many events as there are calls: only for who asks for them. */
const USUAL_KINDS: readonly FactKind[] = FACT_KINDS.filter((kind) => kind !== 'receipt');

const COMMANDS = 'rtt:commands';

/** `GET …/live/facts` of each kind of caller: what comes into the log about it. */
export function followFacts(live: LiveFeeds): readonly Operation[] {
  const handled = (viewerOf: (caller: AdmittedCaller) => Viewer) => ({
    errors: problemErrors,
    handle: (call: FactCall) => follow(live, call, viewerOf(call.caller)),
  });
  return [
    defineOperation('follow-facts', handled(({ clientId, providers, scopes }) => (
      { kind: 'client', clientId, providers, seesCommands: scopes.includes(COMMANDS) }
    ))),
    defineOperation('follow-tracking-facts', {
      ...handled(({ clientId }) => ({ kind: 'carrier', clientId })), errors: notificationErrors,
    }),
    defineOperation('follow-platform-facts', handled(() => ({ kind: 'platform' }))),
    defineOperation('follow-operator-facts', handled(() => ({ kind: 'operator' }))),
  ];
}

async function follow(
  live: LiveFeeds, { caller, query, header }: FactCall, viewer: Viewer,
): Promise<Answer> {
  const asked = query['kinds']?.split(',') ?? USUAL_KINDS;
  // In the order of the table: the same kinds are the same feed, however they are named.
  const kinds = FACT_KINDS.filter((kind) => asked.includes(kind));
  if (kinds.length === 0 || kinds.length !== asked.length) {
    const wrong = asked.find((each) => !(FACT_KINDS as readonly string[]).includes(each)) ?? '';
    return badChoices('kinds', wrong, FACT_KINDS);
  }
  return takeViewer(live, caller, 'text/event-stream', (line) => live.facts.join(
    audience(viewer, kinds), header('last-event-id'), line,
  ));
}
