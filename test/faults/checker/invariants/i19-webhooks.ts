import { anyFault } from '../commands.ts';
import type { Evidence, LogEntry, LooseFields, WebhookPosted } from '../evidence.ts';
import { entryName, fieldOf, groupBy, isFields, recordsOf, textOf } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** Where the facts of a kind are; other kinds are not checked. */
const TOPIC_OF_KIND: Readonly<Record<string, string>> = {
  device: TOPIC.lifecycle, journey: TOPIC.journeys,
};
/** A fault may be noticed that much later. */
const NOTICED_MS = 2_000;

/**
 * I19 Webhooks: each fact of a webhook is taken by its receiver, those of one device or shipment
 * first in the order of the log, all signed, none twice unless across a fault, and none of another.
 */
export function webhooksPost(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I19');
  const posts = groupBy(evidence.posts, ({ webhook_id }) => webhook_id);
  for (const webhook of webhooksIn(evidence)) {
    checkWebhook(evidence, webhook, posts.get(textOf(webhook, 'webhook_id')) ?? [], findings);
  }
  return findings.verdict();
}

function checkWebhook(
  evidence: Evidence, webhook: LooseFields, posts: readonly WebhookPosted[], findings: Findings,
): void {
  const facts = factsOf(evidence, webhook);
  const byFact = groupBy(posts, nameOfPost);
  const name = textOf(webhook, 'webhook_id');
  for (const post of posts) {
    if (!post.is_signed) findings.blame('unsigned', `${post.id} came to ${name} with a wrong signature.`);
    if (!facts.has(nameOfPost(post))) findings.blame('phantom', `${post.id} is no fact of ${name}.`);
  }
  const reached = new Map<string, { readonly entry: LogEntry; readonly at: number }>();
  for (const [fact, entry] of facts) {
    findings.examine();
    const [first, ...repeats] = (byFact.get(fact) ?? []).filter(isTaken);
    if (first === undefined) {
      findings.blame('lost', `${entryName(entry)} was not taken by the receiver of ${name}.`);
      continue;
    }
    checkRepeats(evidence, first, repeats, findings);
    const before = reached.get(entry.key);
    if (before !== undefined && before.at > first.at) {
      findings.blame('order-violation',
        `${name} got ${entryName(entry)} before ${entryName(before.entry)} of the same key.`);
    }
    const { at } = first;
    if (before === undefined || before.at < at) reached.set(entry.key, { entry, at });
  }
}

/** What was taken is posted again only where a fault may have kept its result from the log. */
function checkRepeats(
  { faults }: Evidence, first: WebhookPosted, repeats: readonly WebhookPosted[], findings: Findings,
): void {
  const others = faults.filter(({ target }) => !target.startsWith('gateway'));
  for (const repeat of repeats) {
    if (anyFault(others, first.at - NOTICED_MS, repeat.at)) continue;
    findings.blame('duplicate', `${repeat.id} was taken, and came again `
      + `${Math.round(repeat.at - first.at)} ms later.`);
  }
}

/** The newest record of each webhook. */
function webhooksIn(evidence: Evidence): readonly LooseFields[] {
  const newest = new Map<string, LooseFields>();
  for (const { value } of recordsOf(evidence, TOPIC.webhooks)) {
    if (value !== undefined) newest.set(textOf(value, 'webhook_id'), value);
  }
  return [...newest.values()];
}

/** The facts that it must get, by the name that a post has for them, in the order of the log. */
function factsOf(evidence: Evidence, webhook: LooseFields): ReadonlyMap<string, LogEntry> {
  const client = textOf(webhook, 'client_id');
  const isPlatform = recordsOf(evidence, TOPIC.clients).some(({ value }) => (
    textOf(value, 'client_id') === client && listOf(value, 'audiences').includes('platform')
  ));
  const [live] = listOf(webhook, 'ranges').filter(isFields);
  const topics = listOf(live, 'topics').filter(isFields);
  return new Map(listOf(webhook, 'kinds').flatMap((kind) => {
    const topic = TOPIC_OF_KIND[String(kind)];
    const starts = listOf(topics.find((each) => textOf(each, 'topic') === topic), 'starts');
    return topic === undefined ? [] : recordsOf(evidence, topic)
      .filter(({ partition, offset, value }) => offset >= Number(starts[partition] ?? 0)
        && (isPlatform || textOf(value, 'client_id') === client))
      .map((entry) => [`${String(kind)}:${entry.partition}:${entry.offset}`, entry] as const);
  }));
}

/** The id of a post is that of its record: topic id, partition, offset. */
function nameOfPost({ kind, id }: WebhookPosted): string {
  return `${kind}:${id.split(':').slice(1).join(':')}`;
}

function isTaken({ status }: WebhookPosted): boolean {
  return status !== null && status >= 200 && status < 300;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list as readonly unknown[] : [];
}
