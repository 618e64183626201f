import { commandOf, example, oneOf } from '../../adapters/command-line/command-line.ts';
import { DONE, noun } from '../noun.ts';
import type { Report } from '../ports.ts';
import type { Program } from '../within.ts';
import { completionScript, SHELLS, type Shell } from './scripts.ts';
import { completionsOf } from './words.ts';

/** What completing takes: the program with all its commands. */
export interface CompletionPorts {
  readonly program: () => Promise<Program>;
}

/** `rastro completion bash | zsh | fish`: what a shell reads to complete commands and options. */
export const completionCommand = noun<CompletionPorts>((command, does) => {
  example(command
    .description('Prints what a shell reads to complete commands and options. bash: eval "$(rastro'
      + ' completion bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc; fish: rastro'
      + ' completion fish | source.')
    .argument('<shell>', SHELLS.join(', '), oneOf(SHELLS))
    .action(does(complete)),
  'rastro completion bash', DONE);
});

async function complete({ program }: CompletionPorts, shell: Shell): Promise<Report> {
  const script = completionScript(shell, completionsOf(commandOf(await program())));
  return { value: { shell, script }, lines: [script.trimEnd()], exitCode: 0 };
}
