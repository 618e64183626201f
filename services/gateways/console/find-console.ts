import type { ConsoleFiles, PageAnswer, Pages, StaticFile, PageCall } from '../../kernel/pages.ts';
import { hasVersion, packingFor } from '../common/accepted.ts';
import { answerMap } from './answer-map.ts';

const BASE = '/console';
/** Operations. */
const SESSION = `${BASE}/session`;

/** The pages of the console. What is not one of its files is left to the operations. */
export function createConsolePages({ files, scriptDigest, map }: ConsoleFiles): Pages {
  const always = headersOf(scriptDigest);
  return {
    mayHave: (path) => path === BASE
      || (path.startsWith(`${BASE}/`) && path !== SESSION && !path.startsWith(`${SESSION}/`)),
    async find(call) {
      if (call.path === BASE) {
        return { status: 308, headers: { ...always, Location: `${BASE}/` }, content: '' };
      }
      if (call.path === map?.address) return answerMap(map.file, call, always);
      const file = files.get(call.path);
      return file === undefined ? undefined : answer(file, call, always);
    },
  };
}

/**
 * Nothing is loaded from elsewhere, and nothing written into a page runs: of scripts inside a page
 * the import map alone, by its digest. Workers and pictures of the map come from here or memory.
 */
function headersOf(scriptDigest: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'", `script-src 'self' 'sha256-${scriptDigest}'`, "style-src 'self'",
      "img-src 'self' data: blob:", "connect-src 'self'", "worker-src 'self'", "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}

async function answer(
  file: StaticFile, call: PageCall, always: Readonly<Record<string, string>>,
): Promise<PageAnswer> {
  const packing = packingFor(call);
  const etag = `"${file.digest}-${packing}"`;
  const headers = {
    ...always,
    'Content-Type': file.contentType,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'ETag': etag,
    'Vary': 'Accept-Encoding',
  };
  if (hasVersion(call, etag)) return { status: 304, headers, content: '' };
  return {
    status: 200, content: await file.read(packing),
    headers: { ...headers, ...packing === 'identity' ? {} : { 'Content-Encoding': packing } },
  };
}
