import { OPERATIONS } from '../../schemas/generated/catalog.ts';
import { promises } from './documented-answers.ts';

/** The operation that this one is the dry run of, or itself. */
export function realOf(id: string): string {
  const row = OPERATIONS[id as keyof typeof OPERATIONS];
  return 'dry_run_of' in row ? row.dry_run_of : id;
}

/** Every operation that writes; each has a dry run. */
export const WRITING: readonly string[] = Object.keys(OPERATIONS)
  .filter((id) => realOf(id) !== id).map(realOf);

/** The id of the dry run of an operation. */
export function dryRunOf(id: string): string {
  return `dry-run-${id}`;
}

/** The call whose answer leads to one of its dry run: a success of the one to 200 of the other. */
export function meantBy(id: string, status: number): readonly [id: string, status: number] {
  const real = realOf(id);
  const success = [200, 201, 202].find((each) => promises(real, each));
  return [real, real !== id && status === 200 ? success ?? status : status];
}
