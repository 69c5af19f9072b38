/** Completion in zsh. */
import type {Offers} from './complete.js';

/** The lines for the script below. zsh compares the candidates with the word itself, as the user has set it up. */
export function zshAnswer({lead, items, files, isOpen}: Offers): string[] {
  const candidates = items.map(({value, about}) => {
    const word = value.replaceAll(/[\\:]/g, String.raw`\$&`);
    return about === '' ? word : `${word}:${about.replaceAll('\\', String.raw`\\`)}`;
  });
  return [isOpen ? 'nospace' : 'space', lead, files.join(' '), ...candidates];
}

export const zshScript = String.raw`#compdef pixelctl
# zsh completion for pixelctl, as printed by: pixelctl completion zsh

_pixelctl() {
  local -a answer candidates
  local typed=${'$'}{(Q)PREFIX} lead patterns
  answer=("${'$'}{(@f)$(command pixelctl __complete zsh $((CURRENT - 2)) "${'$'}{(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)}")
  (( $#answer > 2 )) || return 1
  lead=$answer[2] patterns=$answer[3] candidates=("${'$'}{(@)answer[4,-1]}")
  if [[ -n $lead ]]; then compset -P "${'$'}{(b)lead}" || compset -P "${'$'}{(b)${'$'}{(q)lead}}"; fi
  local -i found=1
  if (( $#candidates )); then
    if [[ $answer[1] == nospace ]]; then
      _describe -t values pixelctl candidates -S '' && found=0
    else
      _describe -t values pixelctl candidates && found=0
    fi
  fi
  if [[ $patterns == '*' ]]; then
    _files && found=0
  elif [[ -n $patterns ]]; then
    _files -g "(${'$'}{patterns// /|})" && found=0
  fi
  return found
}

# The file is either autoloaded, which makes its whole text the function, or sourced, perhaps before completion is set up.
if [[ $funcstack[1] == _pixelctl ]]; then
  _pixelctl "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _pixelctl pixelctl
fi
`;
