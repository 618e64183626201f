import {
  partOf, readOffsets, writeOffsets, type FeedLayout, type FeedOffsets,
} from '../../../domain/live/offsets.ts';
import type { OffsetSeals } from '../../../kernel/offset-seals.ts';
import type { ResetReason } from '../sse.ts';
import type { FactViewer } from './fact-viewer.ts';

/** Whose ids they are; of other kinds they are none. */
type Reader = Pick<FactViewer, 'audience' | 'topics'>;

/** Ids of events of facts: offsets of the topics that a viewer follows, and of no others. */
export interface FactIds {
  write(layout: FeedLayout, reader: Reader, offsets: FeedOffsets): string;
  /** The offsets of an id; in what the id is not about, those of this copy. */
  read(
    layout: FeedLayout, reader: Reader, own: FeedOffsets, id: string,
  ): FeedOffsets | ResetReason;
}

/** Ids that only this deployment can read. */
export function createFactIds(seals: OffsetSeals): FactIds {
  const nameOf = ({ audience }: Reader): string => `facts ${audience.kinds.join()}`;
  return {
    write(layout, reader, offsets) {
      const part = partOf(layout, offsets, reader.topics);
      return seals.seal(writeOffsets(part.layout, part.offsets), nameOf(reader));
    },
    read(layout, reader, own, id) {
      const bytes = seals.open(id, nameOf(reader));
      if (bytes === undefined) return 'unreadable';
      const read = readOffsets(partOf(layout, own, reader.topics).layout, bytes);
      if ('not' in read) return read.not;
      const asked = read.offsets.values();
      return layout.map(({ topic }, at) => (
        reader.topics.has(topic) ? asked.next().value ?? 0 : own[at] ?? 0
      ));
    },
  };
}
