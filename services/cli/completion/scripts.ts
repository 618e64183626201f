import type { Completion } from './words.ts';

/** The shells that are completed. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const NAME = 'rastro';
/** Of fish, where each block ends with this word. */
const END_OF_FUNCTION = 'end';

/** A shell that is completed. */
export type Shell = (typeof SHELLS)[number];

/** What a shell reads to complete the words of `rastro`. */
export function completionScript(shell: Shell, completions: readonly Completion[]): string {
  switch (shell) {
    case 'bash': return bashScript(completions);
    case 'zsh': return zshScript(completions);
    case 'fish': return fishScript(completions);
  }
}

/** The words before the cursor that are commands, and then a choice by them. */
function bashScript(completions: readonly Completion[]): string {
  return `# Completion of rastro for bash: eval "$(rastro completion bash)"
_rastro() {
  local current="\${COMP_WORDS[COMP_CWORD]}" after="" word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${after:+$after }$word" in
      ${pathsOf(completions).map((path) => `"${path}"`).join('|')}) after="\${after:+$after }$word" ;;
    esac
  done
  local commands="" options=""
  case "$after" in
${casesOf(completions)}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
complete -o default -F _rastro ${NAME}
`;
}

/** The function of bash serves zsh too, by the bridge that zsh has for it. */
function zshScript(completions: readonly Completion[]): string {
  return `# Completion of rastro for zsh: eval "$(rastro completion zsh)"
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashScript(completions).split('\n').slice(1).join('\n')}`;
}

function fishScript(completions: readonly Completion[]): string {
  return `# Completion of rastro for fish: rastro completion fish | source
function __rastro_after
  set -l after
  for word in (commandline -opc)[2..-1]
    contains -- (string join -- ' ' $after $word) ${
  pathsOf(completions).map((path) => `'${path}'`).join(' ')}; and set -a after $word
  end
  test "$after" = "$argv[1]"
${END_OF_FUNCTION}
${completions.flatMap(({ after, commands, options }) => [
    ...commands.length === 0 ? [] : [
      `complete -c rastro -f -n "__rastro_after '${after}'" -a '${commands.join(' ')}'`,
    ],
    ...options.map((option) => (
      `complete -c rastro -n "__rastro_after '${after}'" -l ${option.slice('--'.length)}`
    )),
  ]).join('\n')}
`;
}

function pathsOf(completions: readonly Completion[]): readonly string[] {
  return completions.map(({ after }) => after).filter((after) => after !== '');
}

function casesOf(completions: readonly Completion[]): string {
  return completions.map(({ after, commands, options }) => (
    `    "${after}") commands="${commands.join(' ')}" options="${options.join(' ')}" ;;`
  )).join('\n');
}
