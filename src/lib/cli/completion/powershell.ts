/** Completion in PowerShell, from 5.1 on. */
import type {Offers} from './complete.js';

/** The lines for the script below. PowerShell shows the candidates as they are. */
export function powershellAnswer({lead, items, files, isOpen}: Offers, current: string): string[] {
  const fitting = items.filter(({value}) => `${lead}${value}`.toLowerCase().startsWith(current.toLowerCase()));
  return [isOpen ? 'nospace' : 'space', lead, files.join(' '), ...fitting.map(({value, about}) => `${lead}${value}\t${about}`)];
}

/** An empty argument would be lost in older versions, so the number of the words before the current one comes first. */
export const powershellScript = String.raw`# PowerShell completion for pixelctl, as printed by: pixelctl completion powershell

Register-ArgumentCompleter -Native -CommandName pixelctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or ($wordToComplete -eq '' -and $_.Extent.EndOffset -le $cursorPosition) } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() } })
  $current = $wordToComplete -replace '^[''"]', ''
  $answer = @(& (Get-Command -CommandType Application, ExternalScript pixelctl | Select-Object -First 1) __complete powershell $words.Count @words $current 2>$null)
  if ($answer.Count -lt 3) { return }
  $lead = $answer[1]
  $quote = { param($text) if ($text -match '^[\w./\\:=+-]*$') { $text } else { "'" + ($text -replace "'", "''") + "'" } }
  foreach ($line in ($answer | Select-Object -Skip 3)) {
    $value, $about = $line -split [char]9, 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new((& $quote $value), $value.Substring($lead.Length), 'ParameterValue', $about)
  }
  if ($answer[2] -ne '') {
    $patterns = $answer[2] -split ' '
    foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring([Math]::Min($lead.Length, $current.Length)))) {
      $isWanted = $file.ResultType -eq 'ProviderContainer' -or @($patterns | Where-Object { $file.ListItemText -like $_ }).Count -gt 0
      if (-not $isWanted) { continue }
      $text = & $quote ($lead + ($file.CompletionText -replace "^& ", '' -replace "^'(.*)'$", '$1' -replace "''", "'"))
      [System.Management.Automation.CompletionResult]::new($text, $file.ListItemText, $file.ResultType, $file.ToolTip)
    }
  }
}
`;
