import { join } from 'node:path';
import { readViews } from '../generate-dictionary/views.ts';

/** The views as sources of the dbt project, with the descriptions of the data dictionary. */
export function dbtSources(root: string): string {
  const { views } = readViews(join(root, 'infra', 'clickhouse'));
  const plain = views.filter(({ parameters }) => parameters.length === 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `# Written by scripts/generate.ts from infra/clickhouse; do not edit.
version: 2
sources:
  - name: rastro
    schema: "{{ env_var('CLICKHOUSE_DATABASE', 'tracking') }}"
    tables:
${plain.map(({ name, comment, columns }) => `      - name: ${name}
        description: ${text(comment)}
        columns:
${columns.map((column) => `          - name: ${column.name}
            description: ${text(column.comment)}`).join('\n')}`).join('\n')}
`;
}

/** A double-quoted scalar of YAML, which JSON is. */
function text(comment: string): string {
  return JSON.stringify(comment);
}
