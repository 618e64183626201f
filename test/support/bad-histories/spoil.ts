import type { InvariantName, ViolationKind } from '../../faults/checker/report.ts';
import { TOPIC } from '../../faults/checker/topics.ts';
import { append, type Draft } from '../fault-draft.ts';

/** A way to spoil a good run, and what the checker must call it. */
export interface BadHistory {
  readonly invariant: InvariantName;
  readonly kind: ViolationKind;
  readonly story: string;
  readonly spoil: (run: Draft) => void;
}

/** What a call of the good run says about its device and its token. */
export const ARGS = { device_id: 'dev-1', token_sha256: 'token-provider-1', provider: 'acme' };

/** Takes the records of a topic that fit out of the log. */
export function removeFrom(run: Draft, topic: string, fits: (text: string) => boolean): void {
  for (let at = run.log.length - 1; at >= 0; at -= 1) {
    const entry = run.log[at];
    if (entry?.topic === topic && fits(JSON.stringify(entry))) run.log.splice(at, 1);
  }
}

/** Changes the first record of a topic that fits. */
export function changeRecord(
  run: Draft, topic: string, fits: (text: string) => boolean, change: object,
): void {
  const at = run.log.findIndex((entry) => entry.topic === topic && fits(JSON.stringify(entry)));
  const found = run.log[at];
  if (found === undefined) throw new Error('no such record in the run');
  run.log[at] = { ...found, ...change };
}

/** A seeded defect ends processes so often at a record, which is a dead letter then. */
export function endAtDefect(run: Draft, times: number): void {
  const hit = run.log.find((entry) => entry.topic === TOPIC.locations);
  if (hit === undefined) throw new Error('no locations in the run');
  const { topic, partition, offset } = hit;
  run.run = { ...run.run, ends_at_record_max: 3 };
  run.ends = Array.from({ length: times }, (_, nth) => ({
    process: `workers-${nth % 2 + 1}`, at_ms: run.run.epoch.at_ms + 100, code: 1,
    reason: `RecordDefect: a defect at AbC:${partition}:${offset}`,
  }));
  append(run, TOPIC.deadLetters, 'k', {
    code: 'defect', origin: { topic, topic_id: 'AbC', partition, offset },
  });
}
