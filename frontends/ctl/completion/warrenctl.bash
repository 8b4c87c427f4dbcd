# warrenctl.bash: completion of warrenctl for bash. warrenctl itself knows what may come next; where it has nothing to
# offer, files are.
_warrenctl()
{
    local line=${COMP_LINE:0:COMP_POINT} offer
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    COMPREPLY=()
    while IFS= read -r offer; do
        COMPREPLY+=("$(printf %q "$offer")")
    done < <("${words[0]/#\~/$HOME}" --complete -- "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _warrenctl warrenctl
