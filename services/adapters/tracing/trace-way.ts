import type { LogHandler, LogRecord, RecordLog, UndecodableRecord } from '../../kernel/record-log.ts';
import type { RowSink } from '../../kernel/row-sink.ts';
import { TRACE_HEADER, type TraceParent, type Tracer } from '../../kernel/tracing.ts';

/** A log whose records carry the trace that they were made in; without a tracer the log itself. */
export function traceAppends(log: RecordLog, tracer: Tracer | undefined): RecordLog {
  if (tracer === undefined) return log;
  return {
    append(record, deadlineMs) {
      if (tracer.current() === undefined) return log.append(record, deadlineMs);
      const { topic } = record;
      const start = {
        name: `append ${topic}`, kind: 'producer', attributes: { 'messaging.destination.name': topic },
      } as const;
      return tracer.trace(start, () => log.append({
        ...record, headers: { ...record.headers, [TRACE_HEADER]: tracer.current() ?? '' },
      }, deadlineMs));
    },
  };
}

/**
 * A handler with one span for each batch that has a traced record. It goes on with the first one's
 * trace and links to the others': a post that was alone is one trace from its call to its rows.
 */
export function traceBatches<Handler extends LogHandler>(
  handler: Handler, group: string, tracer: Tracer | undefined,
): Handler {
  if (tracer === undefined) return handler;
  return {
    ...handler,
    onRecords(records) {
      const [parent, ...links] = parentsOf(records);
      if (parent === undefined) return handler.onRecords(records);
      return tracer.trace({
        name: `process ${group}`, kind: 'consumer', parent, links,
        attributes: {
          'messaging.consumer.group.name': group, 'messaging.batch.message_count': records.length,
        },
      }, () => handler.onRecords(records));
    },
  };
}

/** A sink with a span for each insert of a traced batch. */
export function traceInserts(sink: RowSink, tracer: Tracer | undefined): RowSink {
  if (tracer === undefined) return sink;
  return {
    insert(table, lines, token) {
      if (tracer.current() === undefined) return sink.insert(table, lines, token);
      const attributes = { 'db.collection.name': table, 'db.operation.batch.size': lines.length };
      return tracer.trace({ name: `insert ${table}`, kind: 'client', attributes }, async (report) => {
        const answer = await sink.insert(table, lines, token);
        report({ 'rastro.outcome': answer.kind }, answer.kind === 'rejected');
        return answer;
      });
    },
  };
}

/** Each trace once, in the order of the log. */
function parentsOf(records: readonly (LogRecord | UndecodableRecord)[]): readonly TraceParent[] {
  const parents = new Set<TraceParent>();
  for (const { headers } of records) {
    const parent = headers[TRACE_HEADER];
    if (parent !== undefined && parent !== '') parents.add(parent);
  }
  return [...parents];
}
