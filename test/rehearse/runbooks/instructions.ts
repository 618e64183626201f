import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsIn, fencesIn } from '../../support/pages/read-blocks.ts';
import { isMetricName, METRICS } from '../../../services/kernel/signals/metrics.ts';

/** Something that a page says to query or to call. */
export interface Instruction {
  readonly page: string;
  readonly kind: 'query' | 'question' | 'command' | 'kubectl';
  /** As it is asked: on one line, without what shows where it ends. */
  readonly text: string;
}

const FENCE = /^```.*?^```/gms;
const SPAN = /`([^`]+)`/g;
/** What a span in a sentence must begin with to be one of these; other spans are names. */
const KINDS: readonly (readonly [Instruction['kind'], RegExp])[] = [
  ['query', /^(?:(?:sum|max|min|topk|histogram_quantile|rate|increase)\b.*\(|rastro[_:]\w|process_\w|up$)/],
  ['question', /^SELECT /],
  ['command', /^(?:npm run )?rastro |^npm run topics$/],
  ['kubectl', /^kubectl /],
];

/** All instructions on the pages of a folder, page by page. */
export function instructionsIn(folder: string, only = /\.md$/): readonly Instruction[] {
  return readdirSync(folder).filter((name) => only.test(name)).toSorted().flatMap((name) =>
    instructionsOn(name, readFileSync(join(folder, name), 'utf8')));
}

/** The instructions of one page: in its code blocks and in its sentences. */
export function instructionsOn(page: string, markdown: string): readonly Instruction[] {
  const fenced = fencesIn(markdown).flatMap((fence) => {
    if (fence.language === 'promql') {
      return [{ page, kind: 'query' as const, text: oneLine(fence.body.join(' ')) }];
    }
    if (fence.language !== 'console') return [];
    return commandsIn(fence).flatMap(({ text }) => instructionOf(page, text));
  });
  const spans = [...markdown.replaceAll(FENCE, '').matchAll(SPAN)]
    .flatMap(([, span = '']) => instructionOf(page, oneLine(span)));
  return [...fenced, ...spans];
}

function instructionOf(page: string, text: string): readonly Instruction[] {
  const [kind] = KINDS.find(([, begins]) => begins.test(text)) ?? [];
  // Dots are where a sentence leaves something out: such is a name and no instruction.
  if (kind === undefined || text.includes('…')) return [];
  if (kind === 'query') return [{ page, kind, text: seriesOf(text) }];
  return [{ page, kind, text: text.replace(/^npm run rastro -- /, 'rastro ') }];
}

/** A histogram has no series of its own name. */
function seriesOf(query: string): string {
  return isMetricName(query) && METRICS[query].kind === 'histogram' ? `${query}_count` : query;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
