/** Thrown where a run cannot go on: nothing more is examined. The message says why. */
export class RunStopped extends Error {}

/** Thrown where what a check needs cannot be had here, through no fault of the counterpart. */
export class CannotAsk extends Error {}

/** Rejects once a signal ends the run; its reason is a sentence, or that of a time that is over. */
export function endOf(stop: AbortSignal): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => { reject(new RunStopped(sentenceOf(stop))); };
    if (stop.aborted) end();
    else stop.addEventListener('abort', end, { once: true });
  });
  // A caller that waits for something of the run waits for this too; at its end maybe none does.
  ended.catch(() => undefined);
  return ended;
}

function sentenceOf({ reason }: AbortSignal): string {
  return typeof reason === 'string' ? reason : 'the time of an examination was over';
}
