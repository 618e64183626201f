/** `npm run lint:api`: the generated OpenAPI and AsyncAPI documents against Spectral's rules. */
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { apiDocuments, lintApi } from './lint-api/lint.ts';

await runScript((command, does) => {
  example(command.name('npm run lint:api')
    .description('Checks the OpenAPI and AsyncAPI documents by Spectral\'s and OWASP\'s rules.')
    .action(does(lint)),
  'npm run lint:api', 'Exit codes: 0 no complaints, 1 complaints, 2 wrong use.');
});

async function lint(): Promise<number> {
  const { seen, excused, complaints } = await lintApi(apiDocuments(process.cwd()));
  for (const line of complaints) console.log(line);
  console.log(`${seen} operations, ${excused} excused with a reason, ${complaints.length} complaints`);
  return seen > 0 && complaints.length === 0 ? 0 : 1;
}
