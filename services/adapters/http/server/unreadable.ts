import type { Refusal } from '../../../kernel/http.ts';

/** What Node says about a request that it cannot read. */
export interface UnreadableError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const TLS_HANDSHAKE = 0x16;
const REASONS: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'its first word is no method',
  HPE_INVALID_URL: 'its target has a character that must be percent-encoded',
  HPE_INVALID_VERSION: 'its first line does not end with HTTP/1.1',
  HPE_INVALID_CONSTANT: 'its first line does not end with HTTP/1.1',
  HPE_INVALID_HEADER_TOKEN: 'a header has a character that is not allowed',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is no number',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length stands twice, or beside Transfer-Encoding',
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding must be chunked or absent',
  HPE_INVALID_CHUNK_SIZE: 'the length of a chunk is no number',
};

/** How a request is refused that is no HTTP, or more of it than is read. */
export function unreadable(
  { code = '', rawPacket }: UnreadableError, headerBytesMax: number,
): Refusal {
  return { code: 'malformed_body', detail: detailOf(code, rawPacket, headerBytesMax) };
}

function detailOf(code: string, rawPacket: Buffer | undefined, headerBytesMax: number): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.';
  if (code === 'HPE_HEADER_OVERFLOW') return `The headers have more than ${headerBytesMax} bytes.`;
  if (rawPacket?.[0] === TLS_HANDSHAKE) {
    return 'The request is not valid HTTP: it is TLS, and this port takes http without it.';
  }
  const reason = REASONS[code];
  return `The request is not valid HTTP${reason === undefined ? '' : `: ${reason}`}.`;
}
