// Protects users who look up a message, a reason or a limit: the task pages say what the code and the examples do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ALGORITHMS } from '../../nodes/engine/token/jwt';
import { autoMap } from '../../nodes/EventRegistration/form/mappedValues';
import { root } from './files';
import { avoidedIn, codeOf, textsInCode, textsInPage } from './wording';

const PAGES = ['docs/importing.md', 'docs/identity.md', 'docs/troubleshooting.md'];
const MAX_BYTES = 8192;

const readText = (file: string) => readFileSync(join(root, file), 'utf8');

it.each(PAGES)('%s has at most 8 kB, and no words to avoid', (page) => {
	expect(Buffer.byteLength(readText(page))).toBeLessThanOrEqual(MAX_BYTES);
	expect(textsInPage(page).filter((text) => avoidedIn(text).length > 0)).toEqual([]);
});

/** A value that the page quotes as a part of a message. */
const QUOTED_VALUE = 'a web page';

/** Returns the messages that a page quotes in bold, as the parts between values. */
const findQuotedMessages = (page: string): string[][] =>
	[...page.matchAll(/\*\*"(.+?)"\*\*/g)].map(([, quote]) => splitMessage(quote!));

const splitMessage = (text: string): string[] =>
	text
		.replace(QUOTED_VALUE, '…')
		.split('…')
		.map((part) => part.trim())
		.filter((part) => part !== '');

/** Whether a text contains the parts in this order. */
function hasParts(text: string, parts: string[]): boolean {
	let searchStart = 0;
	return parts.every((part) => {
		const index = text.indexOf(part, searchStart);
		searchStart = index + part.length;
		return index >= 0;
	});
}

describe('the messages in docs/troubleshooting.md', () => {
	// The sandbox has the messages of services.
	const texts = ['nodes', 'sandbox'].flatMap((folder) => codeOf(folder)).flatMap(textsInCode);
	const messages = findQuotedMessages(readText('docs/troubleshooting.md'));

	it('are found, and the comparison notices changed words and order', () => {
		expect(messages.length).toBeGreaterThan(15);
		expect(hasParts('No … is named "…"', ['No', 'is named'])).toBe(true);
		expect(hasParts('No … is named "…"', ['is named', 'No'])).toBe(false);
		expect(hasParts('No … is named "…"', ['No', 'is called'])).toBe(false);
		expect(texts).toContain(QUOTED_VALUE);
	});

	it.each(messages.map((parts) => [parts.join(' … '), parts] as const))(
		'are in the code: %s',
		(_, parts) => {
			expect(texts.some((text) => hasParts(text, parts))).toBe(true);
		},
	);
});

describe('the entries with ★ in docs/troubleshooting.md', () => {
	const [, textBelow = ''] = readText('README.md').split('## When something goes wrong');
	const [, table = ''] = /\| --- \| --- \|\n((?:\|.*\n)+)/.exec(textBelow) ?? [];
	const rows = table.match(/(?<=^\| ).+?(?= \|)/gm)!;
	const starredMessages = [
		...readText('docs/troubleshooting.md').matchAll(/^- ★ \*\*(.+?)\*\*/gm),
	].map(([, message]) => message!);
	const findLongestPart = (message: string) =>
		splitMessage(message.replaceAll('"', '')).reduce((longest, part) =>
			longest.length >= part.length ? longest : part,
		);
	const isSameMessage = (first: string, second: string) =>
		first.includes(findLongestPart(second)) || second.includes(findLongestPart(first));

	it('are as many as the rows of the README', () => {
		expect(rows.length).toBeGreaterThan(5);
		expect(starredMessages).toHaveLength(rows.length);
	});

	it.each(rows)('contain the row %s of the README', (row) => {
		expect(starredMessages.filter((message) => isSameMessage(message, row))).toHaveLength(1);
	});
});

describe('docs/identity.md', () => {
	const page = readText('docs/identity.md');

	it('explains every reason why an answer is unverified, and no other', () => {
		const types = [
			/readonly reason:\s+([^,]+),/.exec(readText('nodes/engine/token/jwt.ts')),
			/type Mismatch = ([^;]+);/.exec(readText('nodes/PasswordlessIdentity/expectation.ts')),
			/type UnverifiedReason =([^;]+);/.exec(
				readText('nodes/PasswordlessIdentity/verification.ts'),
			),
		].map((found) => found![1]!.replace(/\w+\['reason'\]/, ''));
		const reasons = types.flatMap((type) => [...type.matchAll(/'(\w+)'/g)].map(([, name]) => name));
		const [, table] =
			/## Why an answer is unverified\s+<!-- prettier-ignore -->\n((?:\|.*\n)+)/.exec(page)!;
		const rows = table!.split('\n').slice(2);
		const explainedReasons = rows.flatMap((row) =>
			[...row.matchAll(/`(\w+)`/g)].map(([, name]) => name),
		);
		expect(reasons.length).toBeGreaterThan(20);
		expect(explainedReasons.sort()).toEqual(reasons.sort());
	});

	it('names every supported algorithm', () => {
		const [, namedAlgorithms] = /\*\*Algorithms\*\*: (.+?)\. /.exec(page)!;
		const families = namedAlgorithms!.replace(/PS or RS with 256, 384 or 512/, (text) =>
			['PS', 'RS'].flatMap((name) => text.match(/\d+/g)!.map((bits) => name + bits)).join(' '),
		);
		expect(families.match(/EdDSA|[A-Z]{2}\d+/g)!.sort()).toEqual([...ALGORITHMS].sort());
	});

	it('states the time limits and lengths of the code', () => {
		const cache = readText('nodes/PasswordlessIdentity/keyCache.ts');
		const tokens = readText('nodes/engine/token/jwt.ts');
		expect(cache).toContain('const TTL_MS = 5 * 60_000;');
		expect(page).toContain('cached for five minutes');
		expect(tokens).toContain('const MAX_ISSUED_AHEAD_SECONDS = 300;');
		expect(page).toContain('dated more than five minutes ahead');
		expect(tokens).toContain('toleranceSeconds = 60');
		expect(page).toContain('with one minute for differing clocks');
		expect(tokens).toContain('const FINGERPRINT_LENGTH = 43;');
		expect(page).toContain('**Fingerprint**: 43 characters');
		const polls = readText('nodes/engine/watch/pollState.ts');
		expect(polls).toContain('const CONSECUTIVE_RESULTS_TO_END = 3;');
		expect(page).toContain('after three such answers in a row');
	});
});

describe('docs/importing.md', () => {
	const page = readText('docs/importing.md');
	const example = JSON.parse(readText('examples/19-import-a-spreadsheet.json')) as {
		nodes: Array<{
			name: string;
			parameters: { assignments?: { assignments: Array<{ name: string; value: string }> } };
		}>;
	};
	const readAssignments = (node: string) =>
		example.nodes.find(({ name }) => name === node)!.parameters.assignments!.assignments;

	it('names the nodes of the example', () => {
		const mentionedNodes = example.nodes.filter(({ name }) => page.includes(`_${name}_`));
		expect(mentionedNodes.map(({ name }) => name)).toEqual([
			'The file',
			'As a file',
			'Read the rows',
			'Number the rows',
			'Register or update',
			'Imported',
			'Rejected rows',
			'File of rejected rows',
		]);
	});

	it('lists the columns that the example reads', () => {
		const [, listedColumns] = /reads columns named (.+?)\. /.exec(page)!;
		const [headings] = readAssignments('The file')[0]!.value.split('\n');
		expect(listedColumns!.match(/\w+(?=`)/g)).toEqual(headings!.split(','));
	});

	it('names headings that Map Automatically finds, and one that it does not find', () => {
		const [, matchingHeadings, otherHeading] = /(`First name`.+?) all match; (`.+?`) doesn't/.exec(
			page,
		)!;
		const isFound = (heading: string) =>
			autoMap({ [heading]: 'Ada' }, [{ name: 'FirstName', caption: 'First name' }]).size === 1;
		const headings = matchingHeadings!.match(/(?<=`)\w[\w ]*(?=`)/g)!;
		expect(headings).toHaveLength(3);
		expect(headings.filter(isFound)).toEqual(headings);
		expect(isFound(otherHeading!.replaceAll('`', ''))).toBe(false);
	});

	it('numbers rows from 2, as the example does', () => {
		expect(readAssignments('Number the rows')).toMatchObject([{ value: '={{ $itemIndex + 2 }}' }]);
		expect(page).toContain('_Number the rows_ counts from 2');
	});
});
