# warrenctl.bash: completion of warrenctl for bash. warrenctl itself knows what may come next; a line "/" of it means
# files.
_warrenctl()
{
    local line=${COMP_LINE:0:COMP_POINT} offer typed before upto
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    # What stands before the last "=" or ":" is no part of the word to bash, unless COMP_WORDBREAKS says otherwise.
    typed=${words[-1]} before=""
    for offer in = :; do
        if [[ $COMP_WORDBREAKS == *"$offer"* && $typed == *"$offer"* ]]; then
            upto=${typed%"$offer"*}$offer
            (( ${#upto} > ${#before} )) && before=$upto
        fi
    done
    COMPREPLY=()
    while IFS= read -r offer; do
        if [[ $offer == / ]]; then
            compopt -o default 2>/dev/null
            COMPREPLY=()
            return
        fi
        [[ $offer == *= ]] && compopt -o nospace 2>/dev/null
        COMPREPLY+=("$(printf %q "${offer#"$before"}")")
    done < <("${words[0]/#\~/$HOME}" --complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _warrenctl warrenctl
