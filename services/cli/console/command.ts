import { example } from '../../adapters/command-line/command-line.ts';
import type { ClientRecorded } from '../../kernel/access.ts';
import { LINK_SECONDS, SESSION_AUDIENCES } from '../../kernel/sessions.ts';
import { tokenText } from '../../kernel/shards.ts';
import { decideLink } from '../../domain/token/session.ts';
import { DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { findClient, operatorClient, recordLink } from './log.ts';

interface Words {
  readonly operator?: boolean;
  readonly client?: string;
  readonly url: string;
}

/** Where `npm start` serves. */
const LOCAL_URL = 'http://127.0.0.1:8080';
const ADDRESS = /^https?:\/\/[^/?#\s]+\/?$/;

/** `rastro console link`: a one-time link that signs a browser in as a client. */
export const consoleCommand = noun<OperatorPorts>((command, does) => {
  command.description('The console: the fleet and what is known of it, in a browser.');
  example(command.command('link')
    .description('Prints a link that signs one browser in, once, within ten minutes.')
    .option('--operator', 'for who operates the platform: sees all but persons')
    .option('--client <id>', 'for a client: sees what its tokens open')
    .option('--url <address>', 'address of the gateways, as the browser reaches it', LOCAL_URL)
    .action(does(link)),
  'rastro console link --operator', DONE_OR_NONE);
});

async function link(ports: OperatorPorts, { operator, client: id, url }: Words): Promise<Report> {
  if ((operator === true) === (id !== undefined)) {
    return misuse('Say who signs in: --operator or --client ID.');
  }
  if (!ADDRESS.test(url)) return misuse('--url takes an address such as https://rastro.example.');
  if (id === undefined) return linkFor(ports, await operatorClient(ports), url);
  const client = await findClient(ports, id);
  return client === undefined ? notFound(`No client ${id}.`) : linkFor(ports, client, url);
}

async function linkFor(
  ports: OperatorPorts, client: ClientRecorded, url: string,
): Promise<Report> {
  const token = tokenText(client.client_id, ports.secrets.newSecret());
  const decision = decideLink(client, ports.digest(token), ports.clock.nowMs());
  if (decision.kind !== 'happened') {
    return misuse(client.status === 'active'
      ? `The client has none of the audiences ${SESSION_AUDIENCES.join(', ')}: nothing to see.`
      : 'The client is disabled.');
  }
  for (const event of decision.events) await recordLink(ports, event);
  // Behind #, so that no server, log or proxy on the line gets to see it.
  const address = `${url.replace(/\/$/, '')}/console/#link=${token}`;
  return {
    value: { client_id: client.client_id, link: address, seconds: LINK_SECONDS },
    lines: [address, `It signs in one browser as ${client.name}, within ${LINK_SECONDS / 60} minutes.`],
    exitCode: 0,
  };
}
