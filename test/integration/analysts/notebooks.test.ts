import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PYTHON_MS_MAX, runPython } from '../../support/analyst-python.ts';
import { readBlocks } from '../../support/pages/read-blocks.ts';
import { stackEnv } from '../../support/stack.ts';
import { createAnalystData, type AnalystData } from './analyst-data.ts';

const FOLDER = resolve('docs', 'analysts', 'notebooks');
const RUN = `
import sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=120, kernel_name="python3").execute()
cells = [cell for cell in book.cells if cell.cell_type == "code"]
print(sum(cell.execution_count is not None for cell in cells), "of", len(cells),
      sum("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs))
`;

let data: AnalystData;
beforeAll(async () => { data = await createAnalystData(); }, 60_000);
afterAll(() => data.history.drop());

describe('the page about Python', () => {
  it('has a script that runs as it stands', async () => {
    const { text: script = '' } = readBlocks('docs/analysts/python.md')
      .find(({ language }) => language === 'python') ?? {};
    const printed = await runPython(['-c', script], {
      ...stackEnv(), CLICKHOUSE_DATABASE: data.history.database,
    });
    expect(printed).toMatch(/^(?:\S+ 20.*\n){5}\[.*\]\n\d+ fixes\n$/);
  }, PYTHON_MS_MAX);
});

describe('a notebook', () => {
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.ipynb')))(
    '%s runs from the first cell to the last and draws', async (name) => {
      const printed = await runPython(['-c', RUN, join(FOLDER, name)], {
        ...stackEnv(), CLICKHOUSE_DATABASE: data.history.database,
      });
      expect(printed).toMatch(/^(\d+) of \1 [23]\n$/);
    }, PYTHON_MS_MAX,
  );
});
