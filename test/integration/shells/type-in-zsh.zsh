# Types a line and a tab into a zsh of its own, and waits until it shows a text.
zmodload zsh/zpty
zpty -b typed env TERM=dumb zsh -df -i
zpty -w typed 'stty -echo; PS1=; source "$SCRIPT"; echo Is$((1))Ready'
zpty -r typed shown '*Is1Ready*'
zpty -n -w typed "$LINE"$'\t'
zpty -r typed shown "*$WANTED*"
zpty -d typed
print -r -- "$shown"
