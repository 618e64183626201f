import { channel } from 'node:diagnostics_channel';

/** A place between receiving and answering, or between reading and committing. */
export type Step =
  | 'http.before-answer'
  | 'kafka.before-send' | 'kafka.after-ack'
  | 'consumer.fetched' | 'consumer.before-commit' | 'consumer.after-commit'
  | 'redis.before' | 'redis.after'
  | 'clickhouse.before' | 'clickhouse.after'
  | 'outbound.before' | 'outbound.after';

/** What a listener hears: the step, and of what (a topic, a script, a group, an operation). */
export interface PassedStep {
  readonly step: Step;
  readonly of: string;
}

/** Name of the diagnostics channel of steps. */
export const STEP_CHANNEL = 'rastro.step';

const steps = channel(STEP_CHANNEL);

/**
 * Says that a step is reached, to listeners on {@link STEP_CHANNEL} in this process. There are
 * none in production, and then it costs one look; a listener may well stop the process here.
 */
export function passStep(step: Step, of: string): void {
  if (steps.hasSubscribers) steps.publish({ step, of } satisfies PassedStep);
}

/** Passes a step that is of several things at once; they are named only for a listener. */
export function passSteps(step: Step, ofEach: () => Iterable<string>): void {
  if (!steps.hasSubscribers) return;
  for (const of of ofEach()) passStep(step, of);
}
