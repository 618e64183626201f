import type { ProofImage } from '../../kernel/images.ts';
import { mediaTypeOf } from './media-type.ts';

// No class of characters overlaps with what follows it, so that no text makes the match slow.
const BASE64 = /^[\sA-Za-z0-9+/_-]*={0,2}$/;
/** The head of a data URI, and what it says of its content. */
export const DATA_URI = /^data:([^,]{0,200}),/i;

/**
 * The image in a text, or undefined for an empty one. Takes the usual dialects of Base64: line
 * breaks, no padding, the alphabet for URLs, a data URI. What is no picture that we know, or no
 * Base64 at all, is kept as the very text that was sent, and flagged.
 */
export function decodeImage(sent: string): ProofImage | undefined {
  const bytes = decoded(sent.trim());
  if (bytes?.length === 0) return undefined;
  const mediaType = bytes === undefined ? undefined : mediaTypeOf(bytes);
  if (bytes !== undefined && mediaType !== undefined) return { bytes, media_type: mediaType };
  return {
    bytes: Buffer.from(sent),
    media_type: 'unknown',
    flag: bytes === undefined ? 'not_base64' : 'unknown_type',
  };
}

/** The text of a kept image as a push carries it: Base64, or for an unknown one what was sent. */
export function encodeImage(bytes: Uint8Array, mediaType: ProofImage['media_type']): string {
  return Buffer.from(bytes).toString(mediaType === 'unknown' ? 'utf8' : 'base64');
}

function decoded(text: string): Buffer | undefined {
  const uri = DATA_URI.exec(text);
  if (uri === null) return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  const data = unescaped(text.slice(uri[0].length));
  if (data === undefined) return undefined;
  if (!isBase64Uri(uri)) return Buffer.from(data);
  return BASE64.test(data) ? Buffer.from(data, 'base64') : undefined;
}

/** Whether a data URI says that its content is Base64. */
export function isBase64Uri([, about = '']: RegExpExecArray): boolean {
  return /;\s*base64$/i.test(about);
}

function unescaped(data: string): string | undefined {
  if (!data.includes('%')) return data.trim();
  try {
    return decodeURIComponent(data).trim();
  } catch {
    return undefined;
  }
}
