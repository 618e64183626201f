import type { CommandIdentity, ProviderCommandBody } from '../../kernel/commands.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { Refusal } from '../../kernel/http.ts';

/** The header of draft-ietf-httpapi-idempotency-key-header. */
const KEY_HEADER = 'Idempotency-Key';
const KEY_POINTER = '/header/Idempotency-Key';
const KEY_FORM = /^[\x20-\x7e]{1,255}$/;

/** A command as it was asked for. */
export interface AskedCommand {
  readonly provider: string;
  readonly clientId: string;
  readonly body: ProviderCommandBody;
  readonly header: string | undefined;
}

/**
 * What makes a repeat of this call the same command: the key of its header, of that client, or else
 * the `id` of the body, which is unique for a provider. Undefined where it has neither, and a
 * refusal where the header cannot be a key.
 */
export function identifyCommand(
  digest: Digest, { provider, clientId, body, header }: AskedCommand,
): { readonly identity: CommandIdentity | undefined } | { readonly refusal: Refusal } {
  if (header !== undefined && !KEY_FORM.test(header)) return { refusal: badKey() };
  const name = nameOf(clientId, body, header);
  if (name === undefined) return { identity: undefined };
  return {
    identity: {
      key_hash: digest([provider, ...name].join('\0')),
      body_hash: digest(JSON.stringify(sorted(body))),
    },
  };
}

/** The same key came with another command: nothing was sent for this call. */
export function otherBody(header: string | undefined): Refusal {
  const [pointer, what] = header === undefined ? ['/id', 'This id'] : [KEY_POINTER, 'This key'];
  const message = `${what} belongs to a command with another body. Send the body of then, or a new `
    + 'key for a new command.';
  return {
    code: 'command_key_reused', detail: message,
    errors: [{ pointer, code: 'command_key_reused', message }],
  };
}

function nameOf(
  clientId: string, body: ProviderCommandBody, header: string | undefined,
): readonly string[] | undefined {
  if (header !== undefined) return ['key', clientId, header];
  return body.command === 'process_telemetry_events' ? ['id', body.id] : undefined;
}

function badKey(): Refusal {
  const message = `${KEY_HEADER} must have 1 to 255 visible ASCII characters, such as a UUID.`;
  return {
    code: 'invalid_parameter', detail: message,
    errors: [{ pointer: KEY_POINTER, code: 'invalid_parameter', message }],
  };
}

/** Members in the order of their names: a client may write them in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}
