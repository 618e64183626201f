import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../../services/adapters/command-line/command-line.ts';
import { wholeRastro } from '../../../services/cli/assemble-program.ts';
import { completionScript } from '../../../services/cli/completion/scripts.ts';
import { completionsOf } from '../../../services/cli/completion/words.ts';

const completions = completionsOf(commandOf(await wholeRastro()));

/** What bash offers at the end of a line. */
function offered(line: string): readonly string[] {
  const words = line.split(' ');
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `
    ${completionScript('bash', completions)}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
    _rastro; printf '%s\\n' "\${COMPREPLY[@]}"`], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  it.each([
    ['rastro la', ['lag']],
    ['rastro dlq re', ['replay', 'release']],
    ['rastro --json dlq re', ['replay', 'release']],
    ['rastro lag --ma', ['--max-seconds']],
    ['rastro dlq replay --dry', ['--dry-run']],
    ['rastro command cancel --rea', ['--reason']],
    ['rastro command cancel --ut', ['--utc']],
    ['rastro lag --group x --wat', ['--watch']],
    ['rastro nothing', []],
  ])('of %j offers %j', (line, wanted) => {
    expect(offered(line).toSorted()).toEqual([...wanted].toSorted());
  });

  it('offers every command after the name alone', () => {
    expect(offered('rastro ')).toEqual(completions[0]?.commands);
  });
});

describe('completion in other shells', () => {
  it('has the words of each command for zsh and for fish', () => {
    for (const shell of ['zsh', 'fish'] as const) {
      const script = completionScript(shell, completions);
      for (const { after, commands } of completions) {
        expect(script).toContain(after);
        if (commands.length > 0) expect(script).toContain(commands.join(' '));
      }
    }
    expect(completionScript('zsh', completions)).toContain('bashcompinit\n_rastro() {');
  });
});
