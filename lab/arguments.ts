import { parseArgs } from 'node:util';

import { INSTALL_DISK_GB, LabError } from './errors';

/** Command-line options of `npm start`. */
export interface LabArguments {
	port: number;
	sandboxPort: number;
	examples: boolean;
	clean: boolean;
	dev: boolean;
	help: boolean;
}

/** Free space for a clean checkout in GB: 'npm ci' takes 1.1 GB (2026-11-17), then n8n is installed. */
export const CHECKOUT_DISK_GB = 1 + INSTALL_DISK_GB;

export const usage = `Starts a real n8n with the pack installed, a sandbox of the services and example workflows.

  npm start -- [options]

  --port N           n8n's port (5678)
  --sandbox-port N   the sandbox's port (4010)
  --no-examples      start without the example workflows
  --clean            discard all data from earlier runs
  --dev              rebuild and restart n8n whenever a source file changes
  --help             show this text

The first start installs n8n, which takes a few minutes and needs Python 3, make and a C++ compiler;
later starts take seconds. 'npm ci' and the first start need about ${CHECKOUT_DISK_GB} GB of free disk space.
Everything stays on this machine and inside this folder. Press Ctrl+C to stop.
`;

function parsePort(name: string, text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	const port = Number(text);
	if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
	throw new LabError(`--${name} must be a whole number from 1 to 65535, not '${text}'.`);
}

/** Parses the command line. Throws a LabError that names the option if it is invalid. */
export function parseArguments(args: string[]): LabArguments {
	const options = {
		port: { type: 'string' },
		'sandbox-port': { type: 'string' },
		'no-examples': { type: 'boolean' },
		clean: { type: 'boolean' },
		dev: { type: 'boolean' },
		help: { type: 'boolean', short: 'h' },
	} as const;
	let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
	try {
		({ values } = parseArgs({ args, options }));
	} catch (error) {
		const [reason] = (error as Error).message.split('. ');
		throw new LabError(`${reason}. 'npm start -- --help' lists the options.`);
	}
	const port = parsePort('port', values.port, 5678);
	const sandboxPort = parsePort('sandbox-port', values['sandbox-port'], 4010);
	if (port === sandboxPort) {
		throw new LabError(`n8n and the sandbox cannot share port ${port}: choose another for one.`);
	}
	return {
		port,
		sandboxPort,
		examples: !values['no-examples'],
		clean: values.clean === true,
		dev: values.dev === true,
		help: values.help === true,
	};
}
