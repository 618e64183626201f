/** A server-sent event; `id` is absent where it has none, and empty where it takes the id back. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** The events of a body as they come; what is not ended by a blank line is none. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield eventOf(block);
  }
}

function eventOf(block: string): ServerSentEvent {
  const fields = new Map(block.split('\n').map((line) => {
    const [name = '', value = ''] = line.split(/: ?(.*)/s);
    return [name, value] as const;
  }));
  return {
    id: fields.get('id'), event: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
  };
}
