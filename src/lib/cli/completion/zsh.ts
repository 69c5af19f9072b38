/** The completion script for zsh: its `_arguments` does the reading of the line. */
import {singleQuoted} from '../../files/shell-word.js';
import type {Argument, Flag, Node, Value} from './model.js';

/** Within a specification, `]` and `:` would end what is said. */
function escapeSpec(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, String.raw`\$&`);
}

function escapeWord(text: string): string {
  return text.replaceAll(/[^\w./@%+-]/g, String.raw`\$&`);
}

function actionOf({known, isFile}: Value): string {
  const words = known.map(escapeWord).join(' ');
  if (isFile) return known.length === 0 ? '_files' : `{_pixelctl_value_or_file ${words}}`;
  return known.length === 0 ? ' ' : `(${words})`;
}

function flagSpecs({names, about, repeats, value}: Flag): string[] {
  const before = repeats ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
  return names.map((name) => {
    const joint = value === undefined ? '' : name.startsWith('--') ? '=' : '+';
    const taken = value === undefined ? '' : `:${escapeSpec(value.name)}:${actionOf(value)}`;
    return `${before}${name}${joint}[${escapeSpec(about)}]${taken}`;
  });
}

/** None is said to be optional: zsh would offer those that follow it as well. */
function argumentSpec(argument: Argument): string {
  return `${argument.repeats ? '*' : ''}:${escapeSpec(argument.about || argument.name)}:${actionOf(argument)}`;
}

function nodeArm({words, next, flags, arguments: args}: Node): string {
  const entries = next.map(({word, about}) => singleQuoted(`${word}:${about.replaceAll('\\', String.raw`\\`)}`));
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...(next.length > 0 ? ['1:command:{_describe -t commands command further}'] : []),
    ...args.map(argumentSpec),
  ];
  return `    (${singleQuoted(words)})
      further=(${entries.map((entry) => `\n        ${entry}`).join('')}${entries.length > 0 ? '\n      ' : ''})
      specs=(
${specs.map((spec) => `        ${singleQuoted(spec)}`).join('\n')}
      )
      ;;`;
}

export function zshScript(nodes: readonly Node[]): string {
  const reached = nodes.filter(({words}) => words !== '').map(({words}) => singleQuoted(words));
  return `#compdef pixelctl
# zsh completion for pixelctl, as printed by: pixelctl completion zsh

_pixelctl_value_or_file() {
  _alternative "values:value:($*)" 'files:file:_files'
}

_pixelctl() {
  local curcontext=$curcontext node=''
  local -a further specs
  local -a nodes=(
    ${reached.join('\n    ')}
  )
  while (( CURRENT > 2 && \${nodes[(Ie)\${node:+$node }$words[2]]} )); do
    node+=\${node:+ }$words[2]
    shift words
    (( CURRENT-- ))
  done
  curcontext="\${curcontext%:*}:pixelctl-\${node// /-}"
  case $node in
${nodes.map(nodeArm).join('\n')}
  esac
  _arguments -s -S : $specs
}

# The file is either autoloaded, which makes its whole text the function, or sourced.
if [[ $funcstack[1] == _pixelctl ]]; then
  _pixelctl "$@"
else
  compdef _pixelctl pixelctl
fi
`;
}
