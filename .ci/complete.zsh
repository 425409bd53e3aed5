# zsh -f complete.zsh LINE: prints the line as an interactive zsh has it after the Tab key.
zmodload zsh/zpty
shown=$(mktemp)
zpty person zsh -f -i
zpty -w person "autoload -Uz compinit && compinit -u -D; after_tab() { zle expand-or-complete; print -r -- \"\$BUFFER\" >$shown }; zle -N after_tab; bindkey '^I' after_tab"
zpty -w -n person "$1"$'\t'
for _ in {1..100}; do
  [[ -s $shown ]] && break
  sleep 0.1
done
cat $shown
rm $shown
zpty -d person
