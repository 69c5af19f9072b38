/** The embedded server in a process of its own, for sandbox.js: says where it is, and ends with its parent. */
import {startSandbox} from '../dist/lib/sandbox/server.js';

const {url, tokens} = await startSandbox({port: 0});
process.send({url, token: tokens.all});
process.on('disconnect', () => process.exit());
