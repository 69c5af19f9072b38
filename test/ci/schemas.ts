/** What the readers of CI files themselves check: GitHub's parser, and the schema that GitLab publishes. */
import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {NoOperationTraceWriter, parseWorkflow} from '@actions/workflow-parser';
import {parseAction} from '@actions/workflow-parser/actions/index';
import {newFolder, root} from '../e2e/program.js';

const trace = new NoOperationTraceWriter();
const mistakesOf = ({context}: ReturnType<typeof parseAction>): readonly string[] => context.errors.getErrors().map(String);

/** The mistakes that GitHub finds in a workflow; Forgejo reads the same form. */
export const workflowMistakes = (content: string): readonly string[] => mistakesOf(parseWorkflow({name: 'workflow.yml', content}, trace));

/** The mistakes that GitHub finds in an `action.yml`. */
export const actionMistakes = (content: string): readonly string[] => mistakesOf(parseAction({name: 'action.yml', content}, trace));

/** What GitLab's schema says against a pipeline that includes files of a project; empty when it is valid. */
export function gitlabMistakes(pipeline: string, files: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries({...files, '.gitlab-ci.yml': pipeline})) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), text);
  }
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=ana', '-c', 'user.email=ana@pix.example', ...args]);
  git('init', '--quiet');
  git('remote', 'add', 'origin', 'https://gitlab.example/ana/policies.git');
  git('add', '--all');
  git('commit', '--quiet', '--message=All');
  const program = join(root, 'node_modules/gitlab-ci-local/dist/index.js');
  const {status, stdout, stderr} = spawnSync(process.execPath, [program, '--list-json'], {cwd: folder, encoding: 'utf8'});
  return status === 0 ? '' : `${stdout}${stderr}`;
}
