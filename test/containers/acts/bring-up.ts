import { complaintOf, type ContainerStage } from './act.ts';

/** How often `up` was asked, and what is wrong when that did not help. */
export interface BroughtUp {
  readonly tries: number;
  readonly complaints: readonly string[];
}

/**
 * On a full machine a part may start slower than its health check waits. As an operator would, the
 * run asks again; what is broken stays broken.
 */
const TRIES_MAX = 3;

/** Brings services up (all of the profile when none is named) until each is healthy. */
export async function bringUp(
  { compose }: Pick<ContainerStage, 'compose'>, services: readonly string[] = [],
): Promise<BroughtUp> {
  let said: unknown;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    try {
      await compose(['up', '--detach', '--wait', '--no-build', '--pull', 'never', ...services]);
      return { tries, complaints: [] };
    } catch (error) {
      said = error;
    }
  }
  return { tries: TRIES_MAX, complaints: [complaintOf(said)] };
}
