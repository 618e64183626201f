import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text that says the version of the product: what is before it, the version, what is behind. */
interface VersionMention {
  readonly files: string;
  readonly says: RegExp;
}

const VERSION = String.raw`\d+\.\d+\.\d+`;
const IMAGE = says(String.raw`\brastro(?:-provider)?:`, '');

/** All that says it besides generated files, which are made from these. */
export const VERSION_MENTIONS: readonly VersionMention[] = [
  { files: 'package.json', says: says('^  "version": "', '"') },
  { files: 'package-lock.json', says: says('"name": "rastro",\n +"version": "', '"') },
  { files: 'services/clients/typescript/package.json', says: says('^  "version": "', '"') },
  { files: 'services/clients/python/pyproject.toml', says: says('^version = "', '"') },
  { files: 'docs/analysts/dbt/dbt_project.yml', says: says('^version: "', '"') },
  { files: 'docs/how-to/clients.md', says: says('rastro-client-kit-', String.raw`\.tgz`) },
  { files: 'infra/compose/*.yaml', says: IMAGE },
  { files: 'infra/kubernetes/{base,components/*}/*.yaml', says: IMAGE },
  { files: 'infra/images/README.md', says: IMAGE },
  { files: 'infra/check/prove.ts', says: IMAGE },
  { files: 'infra/kubernetes/overlays/prod/example.yaml', says: says('^  version: "', '"') },
  { files: 'infra/values/operator-values.ts', says: says("names of Jobs', example: '", "'") },
  { files: 'test/cluster/product/overlay/kustomization.yaml', says: says('newTag: ', '') },
];

/** The version that `package.json` below `root` says. */
export function productVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Each version that is said anywhere, with its file. */
export function saidVersions(root: string): readonly { file: string; version: string }[] {
  return VERSION_MENTIONS.flatMap(({ files, says: pattern }) => (
    filesOf(root, files).flatMap((file) => (
      [...readFileSync(join(root, file), 'utf8').matchAll(pattern)]
        .map(([, , version = '']) => ({ file, version }))
    ))
  ));
}

/** Says another version everywhere; gives the files that it has written. */
export function writeVersion(root: string, version: string): readonly string[] {
  return VERSION_MENTIONS.flatMap(({ files, says: pattern }) => (
    filesOf(root, files).filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const written = text.replaceAll(pattern, `$1${version}$3`);
      if (written !== text) writeFileSync(join(root, file), written);
      return written !== text;
    })
  ));
}

function filesOf(root: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: root }).sort();
}

function says(before: string, behind: string): RegExp {
  return new RegExp(`(${before})(${VERSION})(${behind})`, 'gm');
}
