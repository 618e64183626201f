import type {
  ExportedRow, ExportQuestion, ExportSlice, ViewExport,
} from '../../kernel/view-export.ts';
import type { Progress } from '../../kernel/progress.ts';

/** Rows of all slices, one after the other. */
export async function* rowsOf(
  history: ViewExport, question: ExportQuestion, slices: readonly ExportSlice[],
  progress: Progress,
): AsyncGenerator<ExportedRow> {
  for (const slice of slices) {
    for await (const row of history.rows(question, slice)) {
      yield row;
      progress.add(1);
    }
  }
}
