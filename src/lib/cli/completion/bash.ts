/** Completion in bash, from 3.2 on (that of macOS). */
import type {Offered, Offers} from './complete.js';

/** What bash passes to the program. */
interface BashLine {
  /** The line up to the cursor. */
  readonly line: string;
  /** The end of the line that bash replaces: bash breaks words at `=`, `:` and `@`, too. */
  readonly text: string;
  /** Whether bash only lists what there is, or completes with Tab; not when it puts one candidate after the other into the line. */
  readonly isListing: boolean;
}

/** A part of a word: quoted, perhaps without its end, or plain with backslashes. */
const piece = /'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|((?:[^\s'"\\]|\\[^])+)|\\$/y;

/** The words of an unfinished line, without quotes. The last one is empty after a space. */
export function wordsOfBash(line: string): string[] {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(line.charAt(at))) at += 1;
    let word = '';
    while (at < line.length && !/\s/.test(line.charAt(at))) {
      piece.lastIndex = at;
      const [whole = '', single, double, plain] = piece.exec(line) ?? [];
      word += single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? plain?.replaceAll(/\\([^])/g, '$1') ?? '';
      at += Math.max(1, whole.length);
    }
    words.push(word);
    if (at >= line.length) return words;
    if (/^\s*$/.test(line.slice(at))) return [...words, ''];
  }
}

/** The lines for the script below: candidates for the end of the line that bash replaces. */
export function bashAnswer({lead, items, files, isOpen}: Offers, current: string, {text, isListing}: BashLine): string[] {
  // What bash leaves in the line; with quotes inside, the text is no end of the word.
  const kept = current.endsWith(text) ? current.length - text.length : 0;
  const fitting = items.filter(({value}) => `${lead}${value}`.startsWith(current));
  // Ids say little: what they are of is shown beside them.
  const shown = ({value, about}: Offered): string => {
    const word = `${lead}${value}`.slice(kept);
    return isListing && fitting.length > 1 && /^\d+$/.test(value) && about !== '' ? `${word}  (${about})` : word;
  };
  return [isOpen ? 'nospace' : 'space', lead.slice(kept), fitting.length > 0 ? '' : files.join(' '), ...fitting.map(shown)];
}

export const bashScript = String.raw`# bash completion for pixelctl, as printed by: pixelctl completion bash

_pixelctl() {
  local IFS=$'\n' space lead patterns candidate pattern
  local -a candidates=()
  COMPREPLY=()
  {
    read -r space && read -r lead && read -r patterns || return
    while read -r candidate; do COMPREPLY+=("$candidate"); done
  } < <(command pixelctl __complete bash "$COMP_TYPE" "${'$'}{COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  if [[ $space == nospace ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ -n $patterns ]]; then
    # Quotes what needs it, and puts a slash after folders; that of macOS cannot do this.
    compopt -o filenames 2>/dev/null
    local path=${'$'}{2#"$lead"}
    while read -r -d ' ' pattern; do
      candidates+=($(compgen -f -X "!$pattern" -- "$path"))
    done <<< "$patterns "
    [[ $patterns == '*' ]] || candidates+=($(compgen -d -- "$path"))
    for candidate in "${'$'}{candidates[@]}"; do COMPREPLY+=("$lead$candidate"); done
  fi
}

complete -F _pixelctl pixelctl
`;
