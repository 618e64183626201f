import type { PipelineResource } from '../../../../schemas/generated/types.ts';
import { askAgain } from './ask-again.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import type { Around } from './page.ts';
import { pipelineParts } from './pipeline-parts.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

const ASKED_EVERY_MS = 5_000;

/** The pipeline for operators: asked every few seconds, each part for itself. */
export async function pipelinePage(main: HTMLElement, around: Around): Promise<void> {
  const { addresses: { pipeline: address } } = around;
  if (address === undefined) {
    main.replaceChildren(el('p', { class: 'text' }, TEXTS.pipeline.noRight));
    return;
  }
  const asOf = el('p', {}, TEXTS.finding);
  const refusal = el('p', { hidden: true, role: 'status' });
  const parts = pipelineParts();
  const figures = el('div', { hidden: true }, ...parts.map(({ element }) => element));
  main.replaceChildren(el('div', { class: 'text wide' }, el('h1', {}, TEXTS.pipeline.title), asOf,
    refusal, figures, curlButton(address)));
  await askAgain<PipelineResource>(() => address, ASKED_EVERY_MS, around, (reply) => {
    refusal.hidden = reply.ok;
    if (reply.ok) {
      asOf.textContent = TEXTS.pipeline.asOf(timeText(Date.parse(reply.body.at)));
      for (const part of parts) part.show(reply.body);
      figures.hidden = false;
    } else {
      // What was shown before stays, with its time.
      refusal.textContent = TEXTS.refused(reply.detail);
    }
  });
}
