/** Commands by topic, sorted; a command without a topic is a topic of its own. */
export function topicsOf({commands}, descriptions) {
  const topics = new Map();
  for (const command of Object.values(commands)) {
    if (command.hidden) continue;
    const name = command.id.split(':')[0];
    if (!topics.has(name)) topics.set(name, {name, description: descriptions[name]?.description, commands: []});
    topics.get(name).commands.push(command);
  }
  return [...topics.values()];
}

export function invocation(bin, command) {
  return [bin, ...command.id.split(':')].join(' ');
}

/** As in oclif: the summary, else the first line of the description. */
export function summaryOf(command) {
  return fill(command.summary ?? (command.description ?? '').split('\n')[0], command);
}

export function descriptionOf(command) {
  const text = command.summary ? (command.description ?? '') : (command.description ?? '').split('\n').slice(1).join('\n');
  return fill(text, command).trim();
}

/** The two templates that oclif fills in its help. */
export function fill(text, command, bin = 'pixelctl') {
  return text.replaceAll('<%= config.bin %>', bin).replaceAll('<%= command.id %>', command.id.replaceAll(':', ' '));
}
