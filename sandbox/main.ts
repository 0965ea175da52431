import { parseArgs } from 'node:util';

import table from '../contracts/services.json';
import { startSandbox } from './server';
import type { Sandbox } from './server';

const usage = `Starts all services and the phone on this machine.

  npm run sandbox -- [options]

  --port N            port to listen on (4010)
  --registrations N   size of the set of demo data, 1 to 100000 (5000)
  --name NAME         a name that it is called by besides 127.0.0.1 and localhost, such as that
                      of a Docker service; may be given several times
  --strict            refuse names and paths that the contracts do not know
  --help              this text
`;

class UsageError extends Error {}

function readNumber(text: string | undefined, name: string, min: number, max: number) {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= min && value <= max) return value;
	throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not '${text}'`);
}

function readOptions() {
	const options = {
		port: { type: 'string' },
		registrations: { type: 'string' },
		name: { type: 'string', multiple: true },
		strict: { type: 'boolean' },
		help: { type: 'boolean' },
	} as const;
	let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
	try {
		({ values } = parseArgs({ options }));
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
	return {
		help: values.help === true,
		port: readNumber(values.port, 'port', 0, 65535) ?? 4010,
		names: values.name,
		strict: values.strict === true,
		registrations: readNumber(values.registrations, 'registrations', 1, 100_000),
	};
}

/** The base address of each service, and the key where it wants one in a header. */
function lines({ credentials }: Sandbox): string {
	return Object.values(table)
		.flatMap(({ title, credential }) => {
			const { baseUrl, headerName, apiKey } = credentials[credential]!;
			return [
				`    ${title.padEnd(24)}${baseUrl}`,
				...(apiKey ? [`      ${headerName}: ${apiKey}`] : []),
			];
		})
		.join('\n');
}

function banner(sandbox: Sandbox): string {
	const { demo, phoneUrl, controlUrl } = sandbox;
	return `Gatehouse sandbox

  Base addresses and demo keys
${lines(sandbox)}

  Demo application (signs scope jobs)
    fingerprint   ${demo.application.fingerprint}
    private key
${demo.application.privatePem.trim().replaceAll(/^/gm, '      ')}

  Demo user (holds the phone)
    fingerprint   ${demo.user.fingerprint}
    phone         ${demo.user.phone}   (country code ${demo.user.countryCode}, number ${demo.user.phoneNumber})
    email         ${demo.user.email}

  Phone     ${phoneUrl}
  Control   ${controlUrl}

These keys are public and open nothing but this sandbox. Ctrl+C stops it.
`;
}

async function main(): Promise<void> {
	const { help, ...options } = readOptions();
	if (help) {
		process.stdout.write(usage);
		return;
	}
	const log = (line: string) => process.stderr.write(`${line}\n`);
	const sandbox = await startSandbox({ ...options, log });
	process.stdout.write(banner(sandbox));
	const stop = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
	const line =
		error.code === 'EADDRINUSE'
			? `Port ${error.port} is in use. Choose another with --port, or stop what uses it.`
			: error instanceof UsageError
				? `${error.message}\n\n${usage}`
				: `The sandbox could not start: ${error.message}`;
	process.stderr.write(`${line}\n`);
	process.exit(1);
});
