/** The local test server as a process, for sandbox.js: sends its address, and ends with its parent. */
import {startSandbox} from '../dist/lib/sandbox/server.js';

const {url, tokens} = await startSandbox({port: 0, ...JSON.parse(process.argv[2])});
process.send({url, token: tokens.all});
process.on('disconnect', () => process.exit());
