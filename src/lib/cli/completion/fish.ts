/** Completion in fish. */
import type {Offers} from './complete.js';

/** The lines for the script below. fish compares the candidates with the word itself. */
export function fishAnswer({lead, items, files, isOpen}: Offers): string[] {
  return [isOpen ? 'nospace' : 'space', lead, files.join(' '), ...items.map(({value, about}) => `${lead}${value}\t${about}`)];
}

export const fishScript = String.raw`# fish completion for pixelctl, as printed by: pixelctl completion fish

function __pixelctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command pixelctl __complete fish (math (count $words) - 1) $words[2..] "$current" 2>/dev/null)
    test (count $answer) -gt 2; or return
    string join \n -- $answer[4..]
    set -l patterns (string split ' ' -- $answer[3])
    test -n "$patterns"; or return
    set -l start (string length -- "$answer[2]")
    for path in (__fish_complete_path (string sub -s (math $start + 1) -- "$current"))
        set -l name (string split -f 1 \t -- $path)
        for pattern in '*/' $patterns
            if string match -q -- $pattern $name
                echo -- "$answer[2]$path"
                break
            end
        end
    end
end

complete -c pixelctl -f -a '(__pixelctl_complete)'
`;
