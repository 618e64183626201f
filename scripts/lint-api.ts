/** `npm run lint:api`: the generated OpenAPI and AsyncAPI documents against Spectral's rules. */
import { apiDocuments, lintApi } from './lint-api/lint.ts';

const { seen, excused, complaints } = await lintApi(apiDocuments(process.cwd()));
for (const line of complaints) console.log(line);
console.log(`${seen} operations, ${excused} excused with a reason, ${complaints.length} complaints`);
process.exitCode = seen > 0 && complaints.length === 0 ? 0 : 1;
