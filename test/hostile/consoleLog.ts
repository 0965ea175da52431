import { inspect } from 'node:util';

/** Everything that was written to the console, including n8n's log. */
export const log: string[] = [];

// Turns n8n's log on, and replaces the console before n8n is loaded, since n8n's logger keeps the functions of the console
// at that time. Therefore this file must be imported first.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = 'console';
for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
	jest.spyOn(console, method).mockImplementation((...args) => {
		log.push(inspect(args, { depth: 9, maxStringLength: null }));
	});
}
// A logger may also write to the streams behind the console, and Jest's workers have streams of their own.
const { _stdout, _stderr } = console as unknown as Record<string, NodeJS.WriteStream | undefined>;
for (const stream of new Set([process.stdout, process.stderr, _stdout, _stderr])) {
	if (stream) jest.spyOn(stream, 'write').mockImplementation((chunk) => log.push(`${chunk}`) > 0);
}
