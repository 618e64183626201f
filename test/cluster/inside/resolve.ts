/** The addresses of a name, once a server of names says them: a Service is later than its Pod. */
import { Resolver } from 'node:dns/promises';
import { waitFor } from '../../../infra/local/wait.ts';
import { answer } from '../../containers/inside/answer.ts';

interface Question {
  readonly server: string;
  readonly name: string;
  readonly deadlineMs: number;
}

await answer<Question>(async ({ server, name, deadlineMs }) => {
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([server]);
  let addresses: readonly string[] = [];
  await waitFor(async () => {
    addresses = await resolver.resolve4(name).catch(() => []);
    return addresses.length > 0;
  }, { what: `An address of ${name}`, deadlineMs, everyMs: 500 });
  return { addresses };
});
