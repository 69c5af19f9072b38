import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './root.js';
import {invocation, summaryOf, topicsOf} from './topics.js';

const start = '<!-- commands -->';
const end = '<!-- /commands -->';

/** The README with the list of commands between its two marks. */
export function readmeText(manifest, {oclif}) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md needs the marks ${start} and ${end}`);

  const sections = topicsOf(manifest, oclif.topics).map(({name, description, commands}) => {
    const lines = commands.map((command) => `- \`${invocation(oclif.bin, command)}\`: ${summaryOf(command)}`);
    const heading = `**[${name}](docs/reference/${name}.md)**${description ? `: ${description}` : ''}`;
    return `${heading}\n\n${lines.join('\n')}`;
  });
  return `${readme.slice(0, from)}${start}\n\n${sections.join('\n\n')}\n\n${readme.slice(to)}`;
}
