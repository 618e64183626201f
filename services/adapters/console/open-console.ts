import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ConsoleFiles, MapFile, Packing, StaticFile } from '../../kernel/pages.ts';

const BROWSER_DIR = join(import.meta.dirname, 'browser');
/** What a browser loads only where the operator mounted a map. */
const OWN_MAP = 'own-map/';
const BASE = '/console/';
const PAGE = 'index.html';

/** Files of packages as they are published, by their name here. */
const FROM_PACKAGES: Readonly<Record<string, string>> = {
  'maplibre-gl.mjs': 'maplibre-gl/dist/maplibre-gl.mjs',
  'maplibre-gl-worker.mjs': 'maplibre-gl/dist/maplibre-gl-worker.mjs',
  'maplibre-gl.css': 'maplibre-gl/dist/maplibre-gl.css',
  'topojson/feature.js': 'topojson-client/src/feature.js',
  'topojson/reverse.js': 'topojson-client/src/reverse.js',
  'topojson/transform.js': 'topojson-client/src/transform.js',
  'topojson/identity.js': 'topojson-client/src/identity.js',
  'countries.json': 'world-atlas/countries-50m.json',
};

const FROM_PACKAGES_OF_MAPS: Readonly<Record<string, string>> = {
  'pmtiles.js': 'pmtiles/dist/esm/index.js',
  'fflate.js': 'fflate/esm/browser.js',
};

/** What the imports of packages are in a browser. */
const IMPORTS: Readonly<Record<string, string>> = {
  'maplibre-gl': 'maplibre-gl.mjs', 'topojson-client/src/feature.js': 'topojson/feature.js',
};
const IMPORTS_OF_MAPS = { pmtiles: 'pmtiles.js', fflate: 'fflate.js' };

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml',
  json: 'application/json', js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8', ts: 'text/javascript; charset=utf-8',
};

/** Packed once a process: a little better would take seconds of CPU. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * The pages of the console: our TypeScript without its types, MapLibre and the map of the world as
 * their packages have them. All but the page itself are below the digest of all of them, so that
 * they can be kept permanently. What shows the map of an operator is among them where there is
 * one. Throws where a file is missing.
 */
export function openConsole(map?: MapFile): ConsoleFiles {
  const parts = new Map([...ownParts(''), ...packageParts(FROM_PACKAGES)]);
  const imports = { ...IMPORTS };
  if (map !== undefined) {
    for (const [name, bytes] of [...ownParts(OWN_MAP), ...packageParts(FROM_PACKAGES_OF_MAPS)]) {
      parts.set(name, bytes);
    }
    Object.assign(imports, IMPORTS_OF_MAPS);
  }
  const page = (parts.get(PAGE) ?? Buffer.alloc(0)).toString('utf8');
  parts.delete(PAGE);
  const all = createHash('sha256').update(page);
  for (const [name, bytes] of parts) all.update(`${name}\0`).update(bytes);
  const home = `${BASE}${all.digest('hex').slice(0, 16)}/`;
  const importMap = JSON.stringify({
    imports: Object.fromEntries(Object.entries(imports).map(([from, to]) => [from, home + to])),
  });
  const mounted = map && { address: `${BASE}map/${map.digest}.pmtiles`, file: map };
  const html = Buffer.from(page.replace('{{map}}', mounted ? mapTags(mounted.address) : '')
    .replaceAll('{{home}}', home).replace('{{imports}}', importMap));
  return {
    map: mounted,
    scriptDigest: createHash('sha256').update(importMap).digest('base64'),
    files: new Map([
      [BASE, fileOf(PAGE, html, false)],
      ...[...parts].map(([name, bytes]) => [home + name, fileOf(name, bytes, true)] as const),
    ]),
  };
}

/** What the page says of a map that is mounted. */
function mapTags(address: string): string {
  return `<meta name="rastro-map" content="${address}">\n`
    + `<link rel="stylesheet" href="{{home}}${OWN_MAP}own-map.css">\n`;
}

/** What is in a folder of the browser, without tests of types and the like. */
function ownParts(folder: string): readonly (readonly [string, Buffer])[] {
  return readdirSync(join(BROWSER_DIR, folder))
    .filter((name) => extensionOf(name) in CONTENT_TYPES && !/\.d\.ts$|^tsconfig/.test(name))
    .toSorted()
    .map((name) => {
      const bytes = readFileSync(join(BROWSER_DIR, folder, name));
      return [folder + name, name.endsWith('.ts') ? Buffer.from(stripped(bytes.toString('utf8'))) : bytes];
    });
}

function packageParts(
  files: Readonly<Record<string, string>>,
): readonly (readonly [string, Buffer])[] {
  const { resolve } = createRequire(import.meta.url);
  return Object.entries(files).map(([name, from]) => {
    const [owner = ''] = from.split('/');
    const folder = dirname(resolve(`${owner}/package.json`));
    return [name, readFileSync(join(folder, from.slice(owner.length + 1)))];
  });
}

/**
 * Node says with each process that this is experimental. It is what runs every file here, so the
 * sentence is kept from the log.
 */
function stripped(source: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function fileOf(name: string, bytes: Buffer, isImmutable: boolean): StaticFile {
  const packed = new Map<Packing, Promise<Uint8Array>>();
  return {
    contentType: CONTENT_TYPES[extensionOf(name)] ?? 'application/octet-stream',
    digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16), isImmutable,
    read(packing) {
      const known = packed.get(packing) ?? pack(bytes, packing);
      packed.set(packing, known);
      return known;
    },
  };
}

function pack(bytes: Buffer, packing: Packing): Promise<Uint8Array> {
  switch (packing) {
    case 'br': return promisify(brotliCompress)(bytes, BROTLI);
    case 'gzip': return promisify(gzip)(bytes);
    case 'identity': return Promise.resolve(bytes);
  }
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
