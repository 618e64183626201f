import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One span as a collector got it. Ids are hex; `service` is whose process it was. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Attributes as text, by name. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A collector of traces: OTLP over HTTP on loopback, in Protocol Buffers. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  close(): Promise<void>;
}

type Field = Buffer | bigint;
type Message = ReadonlyMap<number, readonly Field[]>;

/** Opens a collector on a free port. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const isOurs = request.method === 'POST' && request.url === '/v1/traces'
        && request.headers['content-type'] === 'application/x-protobuf';
      if (isOurs) spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(isOurs ? 200 : 400, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/** Numbers of the fields are those of opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(body: Buffer): ReceivedSpan[] {
  return within(messageOf(body), 1).flatMap((ofResource) => {
    const service = within(ofResource, 1).map((each) => factsOf(each, 1))[0]?.['service.name'] ?? '';
    return within(ofResource, 2).flatMap((scope) => within(scope, 2)).map((span) => ({
      service,
      traceId: hex(span, 1),
      spanId: hex(span, 2),
      parentId: hex(span, 4),
      name: text(span, 5),
      links: within(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
      facts: factsOf(span, 9),
    }));
  });
}

function factsOf(message: Message, field: number): Record<string, string> {
  return Object.fromEntries(within(message, field).map((pair) => {
    const [value] = within(pair, 2);
    const [first] = [...value?.values() ?? []].flat();
    return [text(pair, 1), Buffer.isBuffer(first) ? first.toString('utf8') : String(first)];
  }));
}

function within(message: Message, field: number): Message[] {
  return bytes(message, field).map(messageOf);
}

function bytes(message: Message, field: number): Buffer[] {
  return (message.get(field) ?? []).filter((each) => Buffer.isBuffer(each));
}

const text = (message: Message, field: number): string =>
  bytes(message, field)[0]?.toString('utf8') ?? '';
const hex = (message: Message, field: number): string =>
  bytes(message, field)[0]?.toString('hex') ?? '';

/** The fields of a message by number; the caller knows what is in them. */
function messageOf(data: Buffer): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = data[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (count: number): Buffer => {
    at += count;
    return data.subarray(at - count, at);
  };
  while (at < data.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const kind = tag & 7;
    let field: Field;
    if (kind === 0) field = varint();
    else if (kind === 1) field = take(8).readBigUInt64LE();
    else if (kind === 5) field = BigInt(take(4).readUInt32LE());
    else field = take(Number(varint()));
    fields.set(number, [...fields.get(number) ?? [], field]);
  }
  return fields;
}
