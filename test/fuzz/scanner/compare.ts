import type { ScanBody } from '../../../services/kernel/body-scanner.ts';
import type { ExactWay } from '../../support/exact-way.ts';

/** The result of one body: `left` may be because it is not acceptable; `spurned` is not. */
export type ScanResult =
  | { readonly kind: 'taken'; readonly isRewritten: boolean }
  | { readonly kind: 'left' }
  | { readonly kind: 'spurned' }
  | { readonly kind: 'wrong'; readonly reason: string };

/**
 * Compares both ways of one body. What is taken is always read exactly too; what is left only
 * `thoroughly`, because it cannot be wrong.
 */
export function compareScan(
  scan: ScanBody, exact: ExactWay, bytes: Buffer, thoroughly: boolean,
): ScanResult {
  const before = Buffer.from(bytes);
  const scanned = scan(bytes);
  if (!bytes.equals(before)) return wrong('changes the body');
  if (scanned === undefined) {
    return { kind: thoroughly && exact(bytes) !== undefined ? 'spurned' : 'left' };
  }
  const read = exact(bytes);
  if (read === undefined) return wrong('takes what the exact path refuses');
  if (Buffer.compare(scanned.canonical, read.canonical) !== 0) return wrong('gives other bytes');
  if (scanned.deviceId !== read.deviceId) return wrong('gives another device');
  if (scanned.items !== read.items) return wrong('gives another number of locations');
  return { kind: 'taken', isRewritten: scanned.canonical !== bytes };
}

function wrong(reason: string): ScanResult {
  return { kind: 'wrong', reason };
}
