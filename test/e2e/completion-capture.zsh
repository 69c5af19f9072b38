# What zsh offers for the line $2 after the completion script $1: a match and, after a tab, how it is shown. What zsh finds out about
# the completions of this machine is kept in the file $3, for the next one.
# Only a zsh with a terminal completes, so one is given its own; its compadd prints the matches instead of listing them.
zmodload zsh/zpty || exit 1
zpty shell zsh -f -i
local setup=$(mktemp)
{
  print -r -- "kept=${(q)3}" > $setup
  cat >> $setup <<'SETUP'
PROMPT= RPROMPT=
autoload -Uz compinit && compinit -C -d $kept
compadd() {
  # Asked to fill arrays, it adds nothing.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits shown
  if (( $@[(I)-d] )); then
    local list=${@[$@[(i)-d]+1]}
    if [[ $list == \(* ]]; then eval "shown=$list"; else shown=("${(@P)list}"); fi
  fi
  builtin compadd -A hits -D shown "$@"
  local i
  for (( i = 1; i <= $#hits; i++ )); do print -r -- "MATCH $hits[i]"$'\t'"$shown[i]"; done
  builtin compadd "$@"
}
finish() { print END; exit }
comppostfuncs=(finish)
bindkey '^I' complete-word
SETUP
  print -r -- "source ${(q)1}; stty -echo -tabs; COLUMNS=2000; print READY" >> $setup
  zpty -w shell "source ${(q)setup}"
  zpty -r -m shell text '*READY*'
  zpty -w -n shell "$2"$'\t'
  zpty -r -m shell text '*END*'
} always { rm -f $setup }
print -rl -- ${${(M)${(f)text}:#*MATCH *}#*MATCH }
