/** The completion script of a shell. It asks the program what can be typed, so that it is right after an update, too. */
/** Works from bash 3.2 on, the version that macOS has. */
const bashScript = String.raw`# bash completion for pixelctl, as printed by: pixelctl completion bash

_pixelctl() {
  local IFS=$'\n' lead files word candidate
  local -i kept=0
  COMPREPLY=()
  {
    read -r lead && read -r files && read -r word || return
    # What bash leaves of the word in the line: it breaks words at =, : and @, too. With quotes inside, it leaves nothing.
    if [[ $word == *"$2" ]]; then kept=$((${'$'}{#word} - ${'$'}{#2})); fi
    while read -r candidate; do
      candidate=$lead${'$'}{candidate%%$'\t'*}
      if [[ $candidate == "$word"* ]]; then COMPREPLY+=("${'$'}{candidate:kept}"); fi
    done
  } < <(command pixelctl __complete line "${'$'}{COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [[ -n $files && ${'$'}{#COMPREPLY[@]} == 0 ]]; then
    # Quotes what needs it, and puts a slash after folders; that of macOS cannot do this.
    compopt -o filenames 2>/dev/null
    lead=${'$'}{lead:kept}
    for candidate in $(compgen -f -- "${'$'}{2#"$lead"}"); do COMPREPLY+=("$lead$candidate"); done
  fi
}

complete -F _pixelctl pixelctl
`;

const zshScript = String.raw`#compdef pixelctl
# zsh completion for pixelctl, as printed by: pixelctl completion zsh

_pixelctl() {
  local -a answer candidates
  local typed=${'$'}{(Q)PREFIX} lead line value about
  answer=("${'$'}{(@f)$(command pixelctl __complete $((CURRENT - 2)) "${'$'}{(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)}")
  (( $#answer > 1 )) || return 1
  lead=$answer[1]
  for line in "${'$'}{(@)answer[4,-1]}"; do
    value=${'$'}{line%%$'\t'*} about=${'$'}{line#*$'\t'}
    candidates+=("${'$'}{value//(#m)[\\:]/\\$MATCH}${'$'}{about:+:${'$'}{about//(#m)\\/\\$MATCH}}")
  done
  if [[ -n $lead ]]; then compset -P "${'$'}{(b)lead}" || compset -P "${'$'}{(b)${'$'}{(q)lead}}"; fi
  local -i found=1
  if (( $#candidates )); then _describe -t values pixelctl candidates && found=0; fi
  if [[ -n $answer[2] ]]; then _files && found=0; fi
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

const fishScript = String.raw`# fish completion for pixelctl, as printed by: pixelctl completion fish

function __pixelctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command pixelctl __complete (math (count $words) - 1) $words[2..] "$current" 2>/dev/null)
    test (count $answer) -gt 2; or return
    string join \n -- $answer[1]$answer[4..]
    test -n "$answer[2]"; or return
    set -l start (string length -- "$answer[1]")
    string join \n -- $answer[1](__fish_complete_path (string sub -s (math $start + 1) -- "$current"))
end

complete -c pixelctl -f -a '(__pixelctl_complete)'
`;

/** Works from PowerShell 5.1 on. Old versions lose an empty argument, so the number of the words before the current one comes first. */
const powershellScript = String.raw`# PowerShell completion for pixelctl, as printed by: pixelctl completion powershell

Register-ArgumentCompleter -Native -CommandName pixelctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or ($wordToComplete -eq '' -and $_.Extent.EndOffset -le $cursorPosition) } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() } })
  $current = $wordToComplete -replace '^[''"]', ''
  $answer = @(& (Get-Command -CommandType Application, ExternalScript pixelctl | Select-Object -First 1) __complete $words.Count @words $current 2>$null)
  if ($answer.Count -lt 3) { return }
  $lead = $answer[0]
  $quote = { param($text) if ($text -match '^[\w./\\:=+-]*$') { $text } else { "'" + ($text -replace "'", "''") + "'" } }
  foreach ($line in ($answer | Select-Object -Skip 3)) {
    $value, $about = $line -split [char]9, 2
    if (-not "$lead$value".StartsWith($current, [StringComparison]::OrdinalIgnoreCase)) { continue }
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new((& $quote "$lead$value"), $value, 'ParameterValue', $about)
  }
  if ($answer[1] -ne '') {
    foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring([Math]::Min($lead.Length, $current.Length)))) {
      $text = & $quote ($lead + ($file.CompletionText -replace "^& ", '' -replace "^'(.*)'$", '$1' -replace "''", "'"))
      [System.Management.Automation.CompletionResult]::new($text, $file.ListItemText, $file.ResultType, $file.ToolTip)
    }
  }
}
`;

/** By shell. */
export const completionScripts = {bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript};
