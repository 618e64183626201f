import { wrongValue } from '../../services/adapters/command-line/command-line.ts';
import { CONTAINER_ACTS } from './acts/index.ts';

/** Names of acts in containers with commas between; throws when one is none. */
export function actsFrom(names: string): readonly string[] {
  return namesFrom(names, CONTAINER_ACTS);
}

/** Names of some acts with commas between; throws what the command line shows when one is none. */
export function namesFrom(
  names: string, acts: readonly { readonly name: string }[],
): readonly string[] {
  const known = acts.map(({ name }) => name);
  const list = names.split(',').filter((name) => name !== '');
  const other = list.find((name) => !known.includes(name));
  return other === undefined ? list : wrongValue(`No act ${other}: ${known.join(', ')}.`);
}
