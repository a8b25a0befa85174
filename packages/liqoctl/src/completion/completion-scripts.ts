export const shells = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shells)[number];

export function isShell(text: string): text is Shell {
  return shells.some((shell) => shell === text);
}

/** Each hands the words up to the cursor to `liqoctl __complete`, which prints one candidate a line. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# liqoctl completion for bash; use it with: source <(liqoctl completion bash)
_liqoctl() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local candidates
  candidates=$(liqoctl __complete "\${words[@]}" 2>/dev/null) || return
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _liqoctl liqoctl
`,
  zsh: `#compdef liqoctl
# liqoctl completion for zsh; put it as _liqoctl into a folder of $fpath
_liqoctl() {
  local -a candidates
  candidates=("\${(@f)$(liqoctl __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#candidates} )) && [[ -n "\${candidates[1]}" ]]; then
    compadd -- "\${candidates[@]}"
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_liqoctl" ]; then
  _liqoctl "$@"
else
  compdef _liqoctl liqoctl
fi
`,
  fish: `# liqoctl completion for fish; put it into ~/.config/fish/completions/liqoctl.fish
function __liqoctl_complete
  set -l words (commandline -opc)
  set -l candidates (liqoctl __complete $words[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c liqoctl -f -a '(__liqoctl_complete)'
`,
};
