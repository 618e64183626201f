import type { Patch } from '../cluster/copy-product.ts';

/** A defect of a kit that a run must catch by lost fixes. */
export interface KitMutant {
  readonly name: string;
  readonly kit: 'typescript' | 'python';
  /** What an author might believe in good faith when writing it. */
  readonly why: string;
  /** Paths are those in `services/clients`. */
  readonly patches: readonly Patch[];
}

/** Two of each kit. */
export const KIT_MUTANTS: readonly KitMutant[] = [
  {
    name: 'typescript-commits-before-the-answer', kit: 'typescript',
    why: 'The batch is as good as sent once it is read.',
    patches: [{
      file: 'typescript/src/sender.ts',
      find: '    const outcome = await exchange(',
      replace: '    config.onFreed(outbox.finish(entry));\n    const outcome = await exchange(',
    }],
  },
  {
    name: 'typescript-reports-before-the-disk', kit: 'typescript',
    why: 'The batch will be on the disk in a moment.',
    patches: [{
      file: 'typescript/src/gather.ts',
      find: '      await Promise.all([...touched].map(({ safe }) => safe.promise));\n',
      replace: '',
    }],
  },
  {
    name: 'python-commits-before-the-answer', kit: 'python',
    why: 'The batch is as good as sent once it is read.',
    patches: [{
      file: 'python/src/rastro_client_kit/sender.py',
      find: '        outcome = self._exchange.attempt(',
      replace: '        self._on_freed(self._outbox.finish(entry))\n        outcome = self._exchange.attempt(',
    }],
  },
  {
    name: 'python-reports-before-the-disk', kit: 'python',
    why: 'The batch will be on the disk in a moment.',
    patches: [{
      file: 'python/src/rastro_client_kit/gather.py',
      find: '        return waiter.future\n',
      replace: '        done: Future[None] = Future()\n        done.set_result(None)\n        return done\n',
    }],
  },
];
