// Confines itself to one folder and says which of the other files named it can still read.
import { readFileSync } from 'node:fs';
import { confine } from '../../infra/local/landlock.ts';

const [folder = '', ...files] = process.argv.slice(2);

function outcomeOf(file: string): string {
  try {
    readFileSync(file);
    return 'read';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

const before = files.map(outcomeOf);
confine({ writes: [folder], reads: [] });
process.stdout.write(JSON.stringify({ before, after: files.map(outcomeOf) }));
