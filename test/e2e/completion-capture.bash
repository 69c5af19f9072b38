# What bash offers for the line $2 after the completion script $1. The line is broken into words as readline does it.
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=() rest=$2
while [[ $rest =~ ^([[:space:]]+)|^[=:]+|^[^=:[:space:]]+ ]]; do
  rest=${rest#"$BASH_REMATCH"} space=${BASH_REMATCH[1]}
  [[ -n $space ]] || COMP_WORDS+=("$BASH_REMATCH")
done
[[ -z $space ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_pixelctl
for reply in "${COMPREPLY[@]}"; do printf '%s\n' "$reply"; done
