// Protects people who run the lab: each option has its effect, and a mistake or a failure is reported in one line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CHECKOUT_DISK_GB, parseArguments, usage } from '../../lab/arguments';
import { findKnownReason, LabError, toOneLine } from '../../lab/errors';
import { rootFolder } from '../../lab/paths';

describe('the command line of the lab', () => {
	it('has a default for every option', () => {
		expect(parseArguments([])).toEqual({
			port: 5678,
			sandboxPort: 4010,
			examples: true,
			clean: false,
			dev: false,
			help: false,
		});
	});

	it('accepts every option that the help text names', () => {
		const options = [...usage.matchAll(/^ {2}(--[a-z-]+)( N)?/gm)];
		expect(options.map(([, name]) => name)).toHaveLength(6);
		let port = 7000;
		const args = options.flatMap(([, name, number]) => (number ? [name!, `${port++}`] : [name!]));
		expect(parseArguments(args)).toEqual({
			port: 7000,
			sandboxPort: 7001,
			examples: false,
			clean: true,
			dev: true,
			help: true,
		});
	});

	it('names the same disk space as the README', () => {
		const readme = readFileSync(join(rootFolder, 'README.md'), 'utf8');
		const figures = [usage, readme].map(
			(text) => /about (\d+) GB of free disk space/.exec(text)?.[1],
		);
		expect(figures).toEqual([`${CHECKOUT_DISK_GB}`, `${CHECKOUT_DISK_GB}`]);
	});

	it.each([
		[['--port', '0'], "--port must be a whole number from 1 to 65535, not '0'."],
		[['--port', '65536'], "not '65536'"],
		[['--sandbox-port', '40x'], '--sandbox-port must be a whole number'],
		[['--port', '4010'], 'cannot share port 4010'],
		[['--prot', '1'], "Unknown option '--prot'. 'npm start -- --help' lists the options."],
		[['now'], "'npm start -- --help' lists the options."],
	])('rejects %j in one line', (args, text) => {
		expect(() => parseArguments(args)).toThrow(LabError);
		try {
			parseArguments(args);
		} catch (error) {
			expect(toOneLine(error)).toContain(text);
			expect(toOneLine(error)).not.toContain('\n');
		}
	});
});

it('the lab names a port that another program uses, with the options that choose another port', () => {
	const error = new Error('listen EADDRINUSE: address already in use 127.0.0.1:4010');
	expect(toOneLine(error)).toBe(
		'Could not start: port 4010 is in use: choose another with --port (n8n) or --sandbox-port.',
	);
});

describe('the one-line message of an error', () => {
	it.each([
		[
			'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write',
			'disk is full',
		],
		['npm error code EAI_AGAIN\nnpm error request to the registry failed', '(EAI_AGAIN)'],
		['connect ECONNREFUSED 127.0.0.1:9', '(ECONNREFUSED)'],
		['npm error code EACCES\nnpm error syscall mkdir', '(EACCES)'],
	])('names the reason that it finds in %j', (output, text) => {
		expect(findKnownReason(output)).toContain(text);
		expect(toOneLine(new Error(output))).not.toContain('\n');
	});

	it('names the source line of an internal error', () => {
		expect(toOneLine(new TypeError('x is not a function\nmore'))).toMatch(
			/^Could not start: x is not a function \(at .*arguments\.test\.ts/,
		);
	});
});
