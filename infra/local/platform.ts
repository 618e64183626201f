import { ADDRESS_VARIABLES } from './external.ts';
import type { PartName } from './part.ts';

/** The system that this process runs on. */
export interface MachineKind {
  readonly system: string;
  readonly architecture: string;
  /** Absent where the C library is another one, as on Alpine. */
  readonly glibc: string | undefined;
}

/** That of this process. */
export function ownPlatform(): MachineKind {
  // The names of far ends of connections would be asked for otherwise.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  return {
    system: process.platform, architecture: process.arch, glibc: header.glibcVersionRuntime,
  };
}

/**
 * Throws one sentence when one of the parts cannot start on this machine. Without it that would
 * show only after minutes of downloads for the others.
 */
export function requirePlatform(parts: readonly PartName[], machine = ownPlatform()): void {
  const { system, architecture, glibc } = machine;
  const isLinux = system === 'linux';
  if (isLinux && architecture === 'x64' && glibc !== undefined) return;
  // Elsewhere on Linux the others run: they are Java, or a server of the system.
  const unserved = isLinux ? parts.filter((part) => part === 'clickhouse') : parts;
  if (unserved.length === 0) return;
  const kind = `${system} ${architecture}${isLinux && glibc === undefined ? ' without glibc' : ''}`;
  const variables = unserved.map((part) => ADDRESS_VARIABLES[part]).join(', ');
  throw new Error(
    `${unserved.join(', ')} can be started on Linux x64 with glibc only, and this machine is`
      + ` ${kind}: use such a machine, or name running ones by ${variables}.`,
  );
}
