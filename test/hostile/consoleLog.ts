import { inspect } from 'node:util';

/** Everything that was written to the console, n8n's log above all. */
export const log: string[] = [];

// Turns n8n's log on again, and listens before n8n is loaded: its logger keeps the functions that it finds then. So this
// must be imported first.
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
