import type { OverflowList } from '../../../../schemas/generated/types.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import {
  overflowAt, readDecided, waitingRecords, type OverflowSource,
} from '../../../operator/overflow/overflow-now.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { overflowDecision } from '../overflow-decision.ts';

/** What listing needs from outside. */
export interface ListOverflowPorts {
  readonly source: OverflowSource;
  readonly clock: Clock;
  /** The group of the worker that applies the overflow topic. */
  readonly group: string;
}

const DECISIONS_MAX = 500;

/** `GET /operator/overflow`: the decisions that hold, as `rastro overflow ls`, and what waits. */
export function listOverflow(ports: ListOverflowPorts): Operation {
  return defineOperation('list-overflow', {
    errors: problemErrors, handle: () => handle(ports),
  });
}

async function handle({ source, clock, group }: ListOverflowPorts): Promise<Answer> {
  const decided = await readDecided(source);
  const { providers, devices } = overflowAt(decided, clock.nowMs());
  const all = [...providers, ...devices];
  const body: OverflowList = {
    decisions: all.slice(0, DECISIONS_MAX).map(overflowDecision),
    waiting_records: await waitingRecords(source, group),
    has_more: all.length > DECISIONS_MAX,
  };
  return { kind: 'answer', status: 200, body };
}
