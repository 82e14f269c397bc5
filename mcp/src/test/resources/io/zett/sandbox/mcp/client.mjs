// client.mjs FOLDER PROGRAM [ARG...]: uses an MCP server through the official TypeScript SDK, which lies in FOLDER. Prints
// a transcript, a JSON object on each line: every message that was sent or received, and what the client made of it.
import { createRequire } from 'node:module';

const [folder, command, ...args] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const tell = (entry) => process.stdout.write(`${JSON.stringify(entry)}\n`);
const step = (name, value) => tell({ step: name, value });

const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
const client = new Client({ name: 'zett-sandbox-test', version: '1' });
client.onerror = (error) => step('client error', String(error));

const connected = client.connect(transport);
const receive = transport.onmessage;
transport.onmessage = (message, extra) => {
  tell({ received: message });
  receive(message, extra);
};
const send = transport.send.bind(transport);
transport.send = (message, options) => {
  tell({ sent: message });
  return send(message, options);
};
await connected;
step('server', client.getServerVersion());
step('capabilities', client.getServerCapabilities());
step('instructions', client.getInstructions());
// From now on the SDK compares each structured result with the output schema of its tool.
step('tools', (await client.listTools()).tools.map((tool) => tool.name));

const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const structured = async (name, args, options) => {
  const result = await call(name, args, options);
  step(name, { isError: result.isError, ...result.structuredContent });
  return result.structuredContent;
};

await structured('write_file', { path: 'folder/text', content: 'first\nsecond\n' });
await structured('read_file', { path: 'folder/text', offset: 2 });
await structured('list_directory', { path: 'folder' });
await structured('run_program', { argv: ['wc', '-l', 'folder/text'] });
await structured('run_command', { command: 'cat; exit 3', stdin: 'from the client' });
await structured('get_capabilities', {});
const { id } = await structured('start_command', { command: 'while read line; do echo "got $line"; done; sleep 1000' });
await structured('send_input', { id, text: 'a line\n', close: true });
await structured('read_output', { id, wait_seconds: 30 });
await structured('stop_command', { id });

const refused = await call('read_file', { path: '../outside' });
step('refused', { isError: refused.isError, text: refused.content[0].text });
step('unknown tool', await call('no_such_tool', {}).catch((error) => ({ code: error.code })));

let told;
const firstProgress = new Promise((resolve) => (told = resolve));
const slow = structured('run_command', { command: 'while [ ! -e go ]; do sleep 0.05; done; echo gone' }, { onprogress: told });
step('progress', await firstProgress);
await call('write_file', { path: 'go', content: '' });
await slow;

const abort = new AbortController();
const aborted = call('run_command', { command: "flock lock sh -c 'touch started; sleep 1000'" }, { signal: abort.signal });
await call('run_command', { command: 'while [ ! -e started ]; do sleep 0.05; done' });
abort.abort('no more wanted');
step('aborted', await aborted.catch((error) => String(error)));
await structured('run_command', { command: 'flock lock echo the lock is free' });

await client.close();
step('closed', true);
