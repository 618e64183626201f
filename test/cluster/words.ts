import { wrongValue } from '../../services/adapters/command-line/command-line.ts';
import { namesFrom } from '../containers/words.ts';
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

/** The word `product`; throws what the command line shows. */
export function productFrom(word: string): 'product' {
  return word === 'product' ? word : wrongValue(`No ${word} to bring up: product, or nothing.`);
}

/** Names of acts of the product with commas between; throws when one is none. */
export function actsFrom(names: string): readonly string[] {
  return namesFrom(names, PRODUCT_ACTS);
}

/** The overlay of this name; throws when it is none. */
export function overlayFrom(name: string): Overlay {
  return isOverlay(name) ? name : wrongValue(`No overlay ${name}: dev or prod.`);
}
