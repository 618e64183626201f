import { createHash, createHmac } from 'node:crypto';

/** Who signs requests, and for which region. */
export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SIGNED = 'host;x-amz-content-sha256;x-amz-date';

/**
 * The headers that sign a request for an object storage with the S3 API (Signature Version 4). The
 * query must be in the order of its names and encoded as the storage encodes it.
 */
export function signedHeaders(
  method: string, url: URL, { accessKeyId, secretAccessKey, region }: Signer, nowMs: number,
  body: string | Uint8Array = '',
): Readonly<Record<string, string>> {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const payload = sha256(body);
  const canonical = [
    method, url.pathname, url.search.slice(1),
    `host:${url.host}`, `x-amz-content-sha256:${payload}`, `x-amz-date:${time}`, '',
    SIGNED, payload,
  ].join('\n');
  const text = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(
    (secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, text).toString('hex');
  return {
    'x-amz-date': time,
    'x-amz-content-sha256': payload,
    'authorization': `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${SIGNED}, `
      + `Signature=${signature}`,
  };
}

/** Text as one part of a query or, between slashes, of a path: all but `A-Za-z0-9-._~` encoded. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
