import { parseArgs } from 'node:util';

import serviceTable from '../contracts/services.json';
import type { DemoPerson } from './demoIdentities';
import { startSandbox } from './server';
import type { Sandbox } from './server';

const usage = `Starts the sandbox: all services, four phones and the desk, on this machine.

  npm run sandbox -- [options]

  --port N            port to listen on (4010)
  --registrations N   number of registrations in the demo data, 1 to 100000 (5000)
  --name NAME         another name for this machine besides 127.0.0.1 and localhost, such as
                      that of a Docker service; can be repeated
  --strict            reject names and paths that the contracts don't define
  --help              show this text
`;

class UsageError extends Error {}

function parseNumber(text: string | undefined, name: string, min: number, max: number) {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= min && value <= max) return value;
	throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not '${text}'`);
}

function parseOptions() {
	const options = {
		port: { type: 'string' },
		registrations: { type: 'string' },
		name: { type: 'string', multiple: true },
		strict: { type: 'boolean' },
		help: { type: 'boolean' },
	} as const;
	let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
	try {
		({ values } = parseArgs({ args: process.argv.slice(2), options }));
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
	return {
		help: values.help === true,
		port: parseNumber(values.port, 'port', 0, 65535) ?? 4010,
		names: values.name,
		strict: values.strict === true,
		registrations: parseNumber(values.registrations, 'registrations', 1, 100_000),
	};
}

/** Lists the base address of each service, and its API key if it expects one in a header. */
function formatCredentials({ credentials }: Sandbox): string {
	return Object.values(serviceTable)
		.flatMap(({ title, credential }) => {
			const { baseUrl, headerName, apiKey } = credentials[credential]!;
			return [
				`    ${title.padEnd(24)}${baseUrl}`,
				...(apiKey ? [`      ${headerName}: ${apiKey}`] : []),
			];
		})
		.join('\n');
}

function formatBanner(sandbox: Sandbox): string {
	const { demo, url, phoneUrl, phonesUrl, deskUrl, controlUrl } = sandbox;
	const formatPerson = (role: string, { name, email, phone, fingerprint }: DemoPerson) =>
		`  ${role}: ${name}
    email         ${email}
    phone         ${phone}
    fingerprint   ${fingerprint}`;
	return `Gatehouse sandbox

  Base URLs and demo keys
${formatCredentials(sandbox)}

  Demo application (signs scope jobs)
    fingerprint   ${demo.application.fingerprint}
    private key
${demo.application.privatePem.trim().replaceAll(/^/gm, '      ')}

${formatPerson('Guest', demo.user)}
${formatPerson('Manager', demo.manager)}
${formatPerson('Finance', demo.finance)}
${formatPerson('Deputy', demo.deputy)}

  Start page        ${url}/
  Guest's phone     ${phoneUrl}?user=guest
  Manager's phone   ${phoneUrl}?user=manager
  All four phones   ${phonesUrl}
  Desk              ${deskUrl}
  Control           ${controlUrl}

These keys are public and open nothing but this sandbox. Press Ctrl+C to stop.
`;
}

async function main(): Promise<void> {
	const { help, ...options } = parseOptions();
	if (help) {
		process.stdout.write(usage);
		return;
	}
	const log = (line: string) => process.stderr.write(`${line}\n`);
	const sandbox = await startSandbox({ ...options, log });
	process.stdout.write(formatBanner(sandbox));
	const stop = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
	const message =
		error.code === 'EADDRINUSE'
			? `Port ${error.port} is in use. Choose another with --port, or stop the program that uses it.`
			: error instanceof UsageError
				? `${error.message}\n\n${usage}`
				: `The sandbox could not start: ${error.message}`;
	process.stderr.write(`${message}\n`);
	process.exit(1);
});
