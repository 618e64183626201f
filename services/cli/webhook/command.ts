import {
  example, numberFrom, repeated, type Command,
} from '../../adapters/command-line/command-line.ts';
import { changeWebhook, type WebhookChange } from '../../domain/webhook/webhook.ts';
import type { WebhookRecorded } from '../../kernel/webhooks.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import type { Report } from '../ports.ts';
import { addWebhook, rotateWebhook, type AddWords } from './add.ts';
import { readOutboxes, readWebhooks, recordWebhook } from './log.ts';
import type { WebhookPorts } from './ports.ts';
import { replayRange, type ReplayWords } from './replay.ts';
import { listed, parkedIn, shown, shownWithOutboxes } from './show.ts';

const KEEP_HOURS = 24;
const KEEP_HOURS_MAX = 24 * 30;
const SKIPPED_MAX = 100;
const RECORD_ID = /^[^:\s]{1,100}:\d{1,9}:\d{1,18}$/;

/**
 * `rastro webhook add | list | show | rotate | remove | pause | resume | replay | parked | skip`:
 * facts that are posted to partners. Every change is a fact in the log.
 */
export const webhookCommand = noun<WebhookPorts>((command, does) => {
  command.description('Webhooks: facts of the log that are posted to partners, signed and in order.');
  example(command.command('add').description('Adds a webhook, and prints its secret once.')
    .requiredOption('--client <id>', 'client whose facts it gets, by the rights of that client')
    .requiredOption('--url <url>', 'address that facts are posted to')
    .requiredOption('--name <name>', 'name for people')
    .option('--kind <kind>', 'device, journey, command or dead_letter (default: all)', repeated)
    .option('--from <date-time>', 'what came into the log since then (default: now)')
    .action(does((ports, words: AddWords) => addWebhook(ports, words))),
  'rastro webhook add --client 100000000000042 --name Acme --url https://acme.example/rastro --kind journey',
  DONE_OR_NONE);
  example(command.command('list').description('All webhooks, with the keys that wait.')
    .action(does(async ({ reader, clock }) => listed(
      kept(await readWebhooks(reader)), await readOutboxes(reader, () => true), clock.nowMs(),
    ))),
  'rastro webhook list', DONE);
  const one = (verb: string, about: string): Command => example(
    command.command(verb).description(about).argument('<id>', 'id of the webhook'),
    `rastro webhook ${verb} w-1f2e3d4c5b6a`, DONE_OR_NONE,
  );
  one('show', 'One webhook, and its progress.').action(does((ports, id: string) => (
    withWebhook(ports, id, async (webhook) => shownWithOutboxes(
      webhook, await readOutboxes(ports.reader, (each) => each === id),
      await ports.extents(topicsOf(webhook)), ports.clock.nowMs(),
    ))
  )));
  one('rotate', 'Makes a new secret, beside which the old ones sign for a while.')
    .option('--keep-hours <h>', 'how long the old ones sign', numberFrom(0, KEEP_HOURS_MAX), KEEP_HOURS)
    .action(does((ports, id: string, { keepHours }: { readonly keepHours: number }) => (
      withWebhook(ports, id, (webhook) => rotateWebhook(ports, webhook, keepHours))
    )));
  one('remove', 'Ends a webhook; what waits for it is not sent.').action(does((ports, id: string) => (
    withWebhook(ports, id, (webhook) => store(ports, webhook, { status: 'removed' }))
  )));
  one('pause', 'Sends nothing more; its progress stays.').action(does((ports, id: string) => (
    withWebhook(ports, id, (webhook) => store(ports, webhook, { status: 'paused' }))
  )));
  one('resume', 'Goes on where it was, and tries at once all that waits or is parked.')
    .action(does((ports, id: string) => withWebhook(ports, id, (webhook) => store(
      ports, webhook, { status: 'active', resumed_at_ms: ports.clock.nowMs() },
    ))));
  example(command.command('replay').description('Sends a range of the log once more, with the same ids.')
    .argument('<id>', 'id of the webhook')
    .requiredOption('--from <date-time>', 'what came into the log since then')
    .option('--to <date-time>', 'and before then (default: now)')
    .action(does((ports, id: string, words: ReplayWords) => (
      withWebhook(ports, id, (webhook) => replayRange(ports, webhook, words))
    ))),
  'rastro webhook replay w-1f2e3d4c5b6a --from 2026-11-27T06:00:00Z --to 2026-11-27T12:00:00Z',
  DONE_OR_NONE);
  example(command.command('parked').description('What is not tried again until a webhook is resumed.')
    .argument('[id]', 'id of one webhook')
    .action(does(async (ports, id: string | undefined) => (id === undefined
      ? parked(ports, kept(await readWebhooks(ports.reader)))
      : withWebhook(ports, id, (webhook) => parked(ports, [webhook]))))),
  'rastro webhook parked', DONE_OR_NONE);
  example(command.command('skip').description('Goes on behind one fact that its receiver never takes.')
    .argument('<id>', 'id of the webhook').argument('<record>', 'id of the fact: its webhook-id')
    .action(does((ports, id: string, record: string) => (
      withWebhook(ports, id, (webhook) => skip(ports, webhook, record))
    ))),
  'rastro webhook skip w-1f2e3d4c5b6a Jx0SBpkkTYq9GkMpBHmdCQ:3:1042 --reason "too large for them"',
  DONE_OR_NONE);
});

async function withWebhook(
  { reader }: WebhookPorts, id: string,
  use: (webhook: WebhookRecorded) => Report | Promise<Report>,
): Promise<Report> {
  const webhook = (await readWebhooks(reader)).get(id);
  return webhook === undefined || webhook.status === 'removed'
    ? notFound(`No webhook ${id}.`) : use(webhook);
}

async function store(
  ports: WebhookPorts, webhook: WebhookRecorded, change: WebhookChange,
): Promise<Report> {
  const nowMs = ports.clock.nowMs();
  const next = changeWebhook(webhook, change, nowMs);
  await recordWebhook(ports, next);
  return shown(next, nowMs);
}

/** Its key is tried at once, so that what waits behind the fact goes out. */
async function skip(
  ports: WebhookPorts, webhook: WebhookRecorded, record: string,
): Promise<Report> {
  if (!RECORD_ID.test(record)) return misuse(`${record} is no id of a record: topic id:partition:offset.`);
  const skipped = [record, ...webhook.skipped.filter((each) => each !== record)];
  return store(ports, webhook, {
    skipped: skipped.slice(0, SKIPPED_MAX), resumed_at_ms: ports.clock.nowMs(),
  });
}

async function parked(
  { reader }: WebhookPorts, webhooks: readonly WebhookRecorded[],
): Promise<Report> {
  const ids = new Set(webhooks.map(({ webhook_id }) => webhook_id));
  return parkedIn(webhooks, await readOutboxes(reader, (each) => ids.has(each)));
}

function kept(webhooks: ReadonlyMap<string, WebhookRecorded>): readonly WebhookRecorded[] {
  return [...webhooks.values()].filter(({ status }) => status !== 'removed');
}

function topicsOf({ ranges }: WebhookRecorded): readonly string[] {
  return [...new Set(ranges.flatMap(({ topics }) => topics.map(({ topic }) => topic)))];
}
