import type { DeadLetterReplay } from '../../../../schemas/generated/types.ts';
import { ask } from './ask.ts';
import { el } from './elements.ts';
import { replayAll } from './replay-all.ts';
import { TEXTS } from './texts.ts';

/** What the panel of a replay needs of its page. */
export interface ReplayAround {
  readonly leaving: AbortSignal;
  readonly signedOut: () => void;
  /** Reads again what is open, and gives how many of the signature are. */
  readonly onDone: () => Promise<number | undefined>;
}

/** A dry run of the replay of a signature, then the replay with a reason, and its proof. */
export function replayPanel(
  address: string, signature: string, around: ReplayAround,
): HTMLElement {
  const { leaving } = around;
  const dryRun = el('button', { type: 'button', onclick: () => { void plan(); } }, TEXTS.dryRun);
  const planned = el('div', { 'aria-live': 'polite' });
  return el('section', {}, el('h2', {}, TEXTS.replay), dryRun, planned);

  async function plan(): Promise<void> {
    dryRun.disabled = true;
    planned.replaceChildren(el('p', {}, TEXTS.finding));
    const reply = await ask<DeadLetterReplay>(
      `${address}?signature=${encodeURIComponent(signature)}`, { signal: leaving },
    ).catch(() => undefined);
    if (reply === undefined || leaving.aborted) return;
    dryRun.disabled = false;
    if (reply.ok) {
      planned.replaceChildren(...heldBackView(reply.body), ...reply.body.remaining === 0
        ? [el('p', {}, TEXTS.nothingToPutBack)] : replayForm(reply.body));
      planned.querySelector('input')?.focus();
      return;
    }
    if (reply.status === 401) around.signedOut();
    planned.replaceChildren(el('p', {}, TEXTS.refused(reply.detail)));
  }

  function replayForm(plan: DeadLetterReplay): readonly HTMLElement[] {
    const reason = el('input', { required: true, maxlength: 200, pattern: '.*\\S.*', autocomplete: 'off' });
    const button = el('button', {}, TEXTS.putBack);
    const progress = el('progress', { max: plan.remaining, value: 0, 'aria-label': TEXTS.progress });
    const says = el('p', { role: 'status' });
    return [
      el('p', {}, TEXTS.wouldPutBack(plan.remaining)),
      el('form', {
        onsubmit: (event) => {
          event.preventDefault();
          button.disabled = true;
          dryRun.disabled = true;
          void putBack(plan, reason.value, progress, says);
        },
      }, el('label', {}, `${TEXTS.reason} `, reason), el('p', {}, TEXTS.reasonHow), button),
      progress, says,
    ];
  }

  async function putBack(
    plan: DeadLetterReplay, reason: string, progress: HTMLProgressElement, says: HTMLElement,
  ): Promise<void> {
    const end = await replayAll({ address, plan, reason, leaving }, (done) => {
      progress.value = done;
      says.textContent = TEXTS.putBackSoFar(done, plan.remaining);
    });
    if (leaving.aborted) return;
    dryRun.disabled = false;
    if (end.refusal?.status === 401) around.signedOut();
    const open = await around.onDone();
    says.textContent = [
      end.refusal === undefined
        ? TEXTS.putBackOf(end.done, plan.remaining)
        : `${TEXTS.putBackSoFar(end.done, plan.remaining)} ${TEXTS.refused(end.refusal.detail)}`,
      ...open === undefined ? [] : [TEXTS.stillOpen(open)],
    ].join(' ');
  }
}

function heldBackView({ held_back: heldBack }: DeadLetterReplay): readonly HTMLElement[] {
  if (heldBack.length === 0) return [];
  return [el('p', {}, TEXTS.heldBack), el('ul', {}, ...heldBack.map(({ why, dead_letters: count }) => (
    el('li', {}, TEXTS.heldBackFor(count, why)))))];
}
