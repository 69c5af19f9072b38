/** The completion script for bash, from 3.2 on (that of macOS): no associative arrays, no `mapfile`. */
import {shellWord} from '../../files/shell-word.js';
import type {Flag, Node, Value} from './model.js';

function namesOf(flags: readonly Flag[]): string {
  return shellWord(flags.flatMap(({names}) => names).join(' '));
}

function valueArm(pattern: string, {known, isFile}: Value): string {
  const offers = [...(known.length > 0 ? [`known=(${known.map(shellWord).join(' ')})`] : []), ...(isFile ? ['files=1'] : [])];
  return `        ${pattern}) ${offers.length === 0 ? 'other=1' : offers.join(' ')} ;;`;
}

/** The flags of one kind stand together by their names, with commas between what is one flag. */
function nodeArm({words, next, flags, arguments: args}: Node): string {
  const valued = flags.filter(({value}) => value !== undefined);
  const valueArms = valued.flatMap(({names, value}) => (value === undefined ? [] : [valueArm(names.join('|'), value)]));
  const argumentArms = args.map((argument, index) => valueArm(argument.repeats ? '[0-9]*' : String(index + 1), argument));
  return `    ${shellWord(words)})
      next=${shellWord(next.map(({word}) => word).join(' '))}
      flags=${shellWord(flags.map(({names}) => names.join(',')).join(' '))}
      valued=${namesOf(valued)}
      repeated=${namesOf(flags.filter(({repeats}) => repeats))}
      case $2 in
${[...valueArms, ...argumentArms, '        *) ;;'].join('\n')}
      esac
      ;;`;
}

export function bashScript(nodes: readonly Node[]): string {
  return `# bash completion for pixelctl, as printed by: pixelctl completion bash

# What there is after the words $1, and what the flag or argument $2 takes there.
_pixelctl_at() {
  known=() files='' other=''
  case $1 in
${nodes.map(nodeArm).join('\n')}
    *) return 1 ;;
  esac
}

_pixelctl() {
  local IFS=$' \\t\\n' rest=$COMP_LINE piece word name i
  local -a words=() offers=() known=()
  local next flags valued repeated files other

  # bash breaks words at = and : too: where the line has no space, they are put together again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    if [[ $i == 0 || $rest == [[:space:]]* ]]; then
      words+=("$piece")
    else
      words[\${#words[@]} - 1]+=$piece
    fi
    rest=\${rest#*"$piece"}
  done
  local last=$((\${#words[@]} - 1))
  local whole=\${words[last]} broken=''
  if [[ $piece == *[!=:]* ]]; then broken=\${whole%"$piece"}; else broken=$whole; fi

  local node='' position=1 asked='' ended='' given=' ' lead=''
  for ((i = 1; i < last; i++)); do
    _pixelctl_at "\${node:+$node }\${words[i]}" || break
    node=\${node:+$node }\${words[i]}
  done
  _pixelctl_at "$node"
  for ((; i < last; i++)); do
    word=\${words[i]}
    if [[ -n $asked ]]; then
      asked=''
    elif [[ -n $ended || $word != -?* ]]; then
      position=$((position + 1))
    elif [[ $word == -- ]]; then
      ended=1
    else
      name=\${word%%=*}
      [[ $name == --* ]] || name=\${name:0:2}
      [[ " $repeated " == *" $name "* ]] || given+="$name "
      [[ " $valued " != *" $word "* ]] || asked=$word
    fi
  done

  if [[ -z $asked && -z $ended && $whole == --*=* ]]; then
    asked=\${whole%%=*} lead=\${whole%%=*}=
  elif [[ -z $asked && ( -n $ended || $whole != -* ) ]]; then
    asked=$position
  fi
  _pixelctl_at "$node" "$asked"
  offers=("\${known[@]}")
  [[ $asked != 1 ]] || offers+=($next)
  if [[ -z $asked || -z $ended && $asked == [0-9]* && -z $files$other$next && \${#known[@]} == 0 ]]; then
    for word in $flags; do
      for name in \${word//,/ }; do
        [[ $given != *" $name "* ]] || continue 2
      done
      offers+=(\${word//,/ })
    done
  fi

  COMPREPLY=()
  for word in "\${offers[@]}"; do
    word=$lead$word
    [[ $word != "$whole"* ]] || COMPREPLY+=("\${word#"$broken"}")
  done
  if [[ -n $files && \${#COMPREPLY[@]} == 0 ]]; then
    # bash completes files better itself, but that of macOS cannot be told to.
    compopt -o default 2>/dev/null || while IFS= read -r word; do
      word=$lead$word
      COMPREPLY+=("\${word#"$broken"}")
    done < <(compgen -f -- "\${whole#"$lead"}")
  fi
}

complete -F _pixelctl pixelctl
`;
}
