/** So many bytes of a large body are worked on at once, or a few times as many; then others act. */
export const STEP_BYTES = 65_536;

/** Work in steps, between which others may act. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** A result that takes no steps. */
export function* atOnce<Result>(result: Result): Steps<Result> {
  yield* [];
  return result;
}

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Takes the steps one by one; before each but the first others may act. */
export async function finishInSteps<Result>(
  steps: Steps<Result>, pause: () => Promise<unknown>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    await pause();
    step = steps.next();
  }
  return step.value;
}
