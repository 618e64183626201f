import { topicsOf } from '../../domain/live/facts.ts';
import type { FactKind } from '../../domain/live/scope.ts';
import { rangeOf, type RangePart } from '../../domain/webhook/webhook.ts';
import type { PartitionExtent } from '../../kernel/log-follower.ts';
import type { WebhookRange } from '../../kernel/webhooks.ts';
import type { OperatorPorts } from '../ports.ts';

type LogPorts = Pick<OperatorPorts, 'watch' | 'extents'>;

/** What is new from now on, or from a time on; without an end. */
export async function rangeFrom(
  ports: LogPorts, rangeId: string, kinds: readonly FactKind[], fromMs: number | undefined,
): Promise<WebhookRange> {
  const extents = await ports.extents(topicsOf(kinds));
  const firsts = fromMs === undefined ? undefined : await firstsSince(ports, extents, fromMs);
  return rangeOf(rangeId, extents.map((extent) => (
    { ...partOf(extent), start: firsts === undefined ? Number(extent.end) : firsts(extent) }
  )));
}

/** What came into the log from one time up to before another, and how many records that may be. */
export async function rangeBetween(
  ports: LogPorts, rangeId: string, kinds: readonly FactKind[], fromMs: number, toMs: number,
): Promise<{ readonly range: WebhookRange; readonly records: number }> {
  const extents = await ports.extents(topicsOf(kinds));
  const [startOf, endOf] = await Promise.all([
    firstsSince(ports, extents, fromMs), firstsSince(ports, extents, toMs),
  ]);
  const parts = extents.map((extent) => {
    const start = startOf(extent);
    return { ...partOf(extent), start, end: Math.max(start, endOf(extent)) };
  });
  const records = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  return { range: rangeOf(rangeId, parts), records };
}

async function firstsSince(
  { watch }: Pick<LogPorts, 'watch'>, extents: readonly PartitionExtent[], sinceMs: number,
): Promise<(extent: PartitionExtent) => number> {
  const firsts = await watch.firstSince(
    extents.map(({ topic, partition, start, end }) => (
      { topic, partition, start, end, next: end }
    )),
    sinceMs,
  );
  return ({ topic, partition, end }) => Number(firsts.get(`${topic}:${partition}`) ?? end);
}

function partOf({ topic, topicId, partition }: PartitionExtent): Omit<RangePart, 'start'> {
  return { topic, topicId, partition };
}
