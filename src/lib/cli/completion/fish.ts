/** The completion script for fish: a line for everything that can be typed, with the condition under which it is offered. */
import type {Argument, Flag, Node, Value} from './model.js';

function quote(text: string): string {
  return /^[\w-]+$/.test(text) ? text : `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** What fish would expand in a list of values is escaped in it. */
function listOf(values: readonly string[]): string {
  return quote(values.map((value) => value.replaceAll(/[^\w./@%+-]/g, String.raw`\$&`)).join(' '));
}

function offersOf({known, isFile}: Value): string {
  const values = known.length === 0 ? '' : ` -a ${listOf(known)}`;
  return `${isFile ? ' -F' : ''}${values}`;
}

function describe(about: string): string {
  return about === '' ? '' : ` -d ${quote(about)}`;
}

function flagLines(words: string, {names, about, repeats, value}: Flag): string[] {
  const lacks = repeats ? '' : `; and __pixelctl_lacks ${names.join(' ')}`;
  const condition = quote(`__pixelctl_at ${quote(words)}${lacks}`);
  const takes = value === undefined ? '' : `${value.isFile ? ' -r' : ' -x'}${offersOf(value)}`;
  return names.map((name) => {
    const option = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
    return `complete -c pixelctl -n ${condition} ${option}${takes}${describe(about)}`;
  });
}

function argumentLine(words: string, position: number, argument: Argument): string[] {
  const offers = offersOf(argument);
  if (offers === '') return [];
  const condition = quote(`__pixelctl_at ${quote(words)} ${position}${argument.repeats ? ' more' : ''}`);
  return [`complete -c pixelctl -n ${condition}${offers}${describe(argument.about)}`];
}

function nodeLines({words, next, flags, arguments: args}: Node): string[] {
  const condition = quote(`__pixelctl_at ${quote(words)} 1`);
  return [
    '',
    ...next.map(({word, about}) => `complete -c pixelctl -n ${condition} -a ${quote(word)}${describe(about)}`),
    ...args.flatMap((argument, index) => argumentLine(words, index + 1, argument)),
    ...flags.flatMap((flag) => flagLines(words, flag)),
  ];
}

function valuedCase({words, flags}: Node): string[] {
  const names = flags.flatMap((flag) => (flag.value === undefined ? [] : flag.names));
  return names.length === 0 ? [] : [`        case ${quote(words)}`, `            printf '%s\\n' ${names.join(' ')}`];
}

export function fishScript(nodes: readonly Node[]): string {
  const reached = nodes.filter(({words}) => words !== '').map(({words}) => quote(words));
  return `# fish completion for pixelctl, as printed by: pixelctl completion fish

function __pixelctl_valued --argument-names node --description 'The flags here that take a value'
    switch $node
${nodes.flatMap(valuedCase).join('\n')}
    end
end

function __pixelctl_read --description 'Reads the line up to the cursor, once for all conditions'
    set -l line (commandline -cp | string collect)
    test "$line" = "$__pixelctl_line"; and return
    set -g __pixelctl_line $line
    set -g __pixelctl_node ''
    set -g __pixelctl_position 1
    set -g __pixelctl_given
    set -l words (commandline -opc)[2..]
    set -l nodes ${reached.join(' ')}
    while set -q words[1]; and contains -- (string trim "$__pixelctl_node $words[1]") $nodes
        set __pixelctl_node (string trim "$__pixelctl_node $words[1]")
        set -e words[1]
    end
    set -l valued (__pixelctl_valued $__pixelctl_node)
    set -l asked ''
    set -l ended ''
    for word in $words
        if test -n "$asked"
            set -a __pixelctl_given $asked
            set asked ''
        else if test -n "$ended"; or not string match -qr '^-.' -- $word
            set __pixelctl_position (math $__pixelctl_position + 1)
        else if test "$word" = --
            set ended yes
        else if contains -- $word $valued
            set asked $word
        else
            set -a __pixelctl_given (string match -r '^--[^=]*|^-.' -- $word)
        end
    end
end

function __pixelctl_at --argument-names node position more --description 'Whether this comes next'
    __pixelctl_read
    test "$node" = "$__pixelctl_node"; or return
    test -z "$position"; and return
    if test -n "$more"
        test $__pixelctl_position -ge $position
    else
        test $__pixelctl_position -eq $position
    end
end

function __pixelctl_lacks --description 'Whether none of these flags is given yet'
    for name in $argv
        contains -- $name $__pixelctl_given; and return 1
    end
    return 0
end

complete -c pixelctl -f
${nodes.flatMap(nodeLines).join('\n')}
`;
}
