import type {
  DeviceTrack, IngestResource, TrackFix, TrackPost,
} from '../../../../schemas/generated/types.ts';
import { ask } from './ask.ts';
import { copyButton } from './copy.ts';
import { el } from './elements.ts';
import { fixesOf } from './posts.ts';
import { TEXTS } from './texts.ts';

/** What is stored of a call: its records with their outcomes, and its fixes on the track. */
interface RawRecord {
  readonly receipt: IngestResource;
  readonly fixes: readonly TrackFix[];
}

/** Gives the raw record of a call of a track, closed; it is asked for when it is opened. */
export type RawRecordOf = (post: TrackPost) => HTMLElement;

/** Makes raw records of the calls of a track; `ingest` gives the address of their outcomes. */
export function rawRecords(
  track: DeviceTrack, ingest: (id: string) => string | undefined, leaving: AbortSignal,
): RawRecordOf {
  return (post) => {
    const content = el('div', { 'aria-live': 'polite' });
    const details = el('details', {
      class: 'raw', ontoggle: () => { if (details.open) void fill(); },
    }, el('summary', {}, TEXTS.rawRecord), content);
    return details;

    async function fill(): Promise<void> {
      const address = ingest(post.ingest_id);
      if (address === undefined || content.childElementCount > 0) return;
      content.replaceChildren(el('p', {}, TEXTS.finding));
      const reply = await ask<IngestResource>(address, { signal: leaving }).catch(() => undefined);
      if (reply === undefined || leaving.aborted) return;
      content.replaceChildren(...reply.ok
        ? rawViews({ receipt: reply.body, fixes: fixesOf(track, post) }, track)
        : [el('p', {}, TEXTS.refused(reply.detail))]);
    }
  };
}

function rawViews(raw: RawRecord, { fixes_every: every }: DeviceTrack): readonly HTMLElement[] {
  const text = JSON.stringify(raw, undefined, 2);
  return [
    ...every === 1 ? [] : [el('p', {}, TEXTS.rawThinned(every))],
    copyButton(TEXTS.copyJson, () => text),
    el('pre', { tabindex: 0, 'aria-label': TEXTS.rawRecord }, text),
  ];
}
