import { wrongValue } from '../../services/adapters/command-line/command-line.ts';
import { PRODUCT_ACTS } from './acts/product.ts';
import { isOverlay, type Overlay } from './overlays.ts';

const SUBJECTS = ['overlays', 'product'] as const;

/** What is rehearsed: manifests at an API server, or the product on a node. */
export type RehearsalSubject = (typeof SUBJECTS)[number];

/** The subject of this name; throws what the command line shows. */
export function subjectFrom(name: string): RehearsalSubject {
  const subject = SUBJECTS.find((each) => each === name);
  return subject ?? wrongValue(`No subject ${name}: ${SUBJECTS.join(' or ')}.`);
}

/** Names of acts with commas between; throws when one is none. */
export function actsFrom(names: string): readonly string[] {
  const known = PRODUCT_ACTS.map(({ name }) => name);
  const list = names.split(',').filter((name) => name !== '');
  const other = list.find((name) => !known.includes(name));
  return other === undefined ? list : wrongValue(`No act ${other}: ${known.join(', ')}.`);
}

/** The overlay of this name; throws when it is none. */
export function overlayFrom(name: string): Overlay {
  return isOverlay(name) ? name : wrongValue(`No overlay ${name}: dev or prod.`);
}
