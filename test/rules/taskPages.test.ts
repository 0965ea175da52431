import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ALGORITHMS } from '../../nodes/engine/token/jwt';
import { autoMap } from '../../nodes/EventRegistration/form/mappedValues';
import { root } from './files';
import { avoidedIn, codeOf, textsInCode, textsInPage } from './wording';

const PAGES = ['docs/importing.md', 'docs/identity.md', 'docs/troubleshooting.md'];
const MAX_BYTES = 8192;

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

it.each(PAGES)('%s is short, and has no words to avoid', (page) => {
	expect(Buffer.byteLength(textOf(page))).toBeLessThanOrEqual(MAX_BYTES);
	expect(textsInPage(page).filter((text) => avoidedIn(text).length > 0)).toEqual([]);
});

/** A value in a message that is worth quoting. */
const QUOTED_VALUE = 'a web page';

/** Returns the messages that a page quotes in bold, as the parts between values. */
const quotedMessages = (page: string): string[][] =>
	[...page.matchAll(/\*\*"(.+?)"\*\*/g)].map(([, quote]) => partsOf(quote!));

const partsOf = (text: string): string[] =>
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
	// The sandbox words the rejections that a service would.
	const texts = ['nodes', 'sandbox'].flatMap((folder) => codeOf(folder)).flatMap(textsInCode);
	const messages = quotedMessages(textOf('docs/troubleshooting.md'));

	it('are found, and the check notices a changed one', () => {
		expect(messages.length).toBeGreaterThan(15);
		expect(hasParts('No … is named "…"', ['No', 'is named'])).toBe(true);
		expect(hasParts('No … is named "…"', ['is named', 'No'])).toBe(false);
		expect(hasParts('No … is named "…"', ['No', 'is called'])).toBe(false);
		expect(texts).toContain(QUOTED_VALUE);
	});

	it.each(messages.map((parts) => [parts.join(' … '), parts] as const))('%s', (_, parts) => {
		expect(texts.some((text) => hasParts(text, parts))).toBe(true);
	});
});

describe('the entries with ★ in docs/troubleshooting.md', () => {
	const [, below = ''] = textOf('README.md').split('## When something goes wrong');
	const [, table = ''] = /\| --- \| --- \|\n((?:\|.*\n)+)/.exec(below) ?? [];
	const rows = table.match(/(?<=^\| ).+?(?= \|)/gm)!;
	const starredMessages = [
		...textOf('docs/troubleshooting.md').matchAll(/^- ★ \*\*(.+?)\*\*/gm),
	].map(([, message]) => message!);
	const longestPart = (message: string) =>
		partsOf(message.replaceAll('"', '')).reduce((one, other) =>
			one.length >= other.length ? one : other,
		);
	const isSame = (one: string, other: string) =>
		one.includes(longestPart(other)) || other.includes(longestPart(one));

	it('are as many as the rows of the README', () => {
		expect(rows.length).toBeGreaterThan(5);
		expect(starredMessages).toHaveLength(rows.length);
	});

	it.each(rows)('has the row %s', (row) => {
		expect(starredMessages.filter((message) => isSame(message, row))).toHaveLength(1);
	});
});

describe('docs/identity.md', () => {
	const page = textOf('docs/identity.md');

	it('explains every reason why an answer is unverified, and no other', () => {
		const types = [
			/readonly reason:\s+([^,]+),/.exec(textOf('nodes/engine/token/jwt.ts')),
			/type Mismatch = ([^;]+);/.exec(textOf('nodes/PasswordlessIdentity/expectation.ts')),
			/type UnverifiedReason =([^;]+);/.exec(textOf('nodes/PasswordlessIdentity/verification.ts')),
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

	it('names every algorithm', () => {
		const [, namedAlgorithms] = /\*\*Algorithms\*\*: (.+?)\. /.exec(page)!;
		const families = namedAlgorithms!.replace(/PS or RS with 256, 384 or 512/, (text) =>
			['PS', 'RS'].flatMap((name) => text.match(/\d+/g)!.map((bits) => name + bits)).join(' '),
		);
		expect(families.match(/EdDSA|[A-Z]{2}\d+/g)!.sort()).toEqual([...ALGORITHMS].sort());
	});

	it('has the numbers of the code', () => {
		const cache = textOf('nodes/PasswordlessIdentity/keyCache.ts');
		const tokens = textOf('nodes/engine/token/jwt.ts');
		expect(cache).toContain('const TTL_MS = 5 * 60_000;');
		expect(page).toContain('cached for five minutes');
		expect(tokens).toContain('const MAX_ISSUED_AHEAD_SECONDS = 300;');
		expect(page).toContain('dated more than five minutes ahead');
		expect(tokens).toContain('toleranceSeconds = 60');
		expect(page).toContain('with one minute for differing clocks');
		expect(tokens).toContain('const FINGERPRINT_LENGTH = 43;');
		expect(page).toContain('**Fingerprint**: 43 characters');
		const polls = textOf('nodes/engine/watch/pollState.ts');
		expect(polls).toContain('const CONSECUTIVE_RESULTS_TO_END = 3;');
		expect(page).toContain('after three such answers in a row');
	});
});

describe('docs/importing.md', () => {
	const page = textOf('docs/importing.md');
	const example = JSON.parse(textOf('examples/19-import-a-spreadsheet.json')) as {
		nodes: Array<{
			name: string;
			parameters: { assignments?: { assignments: Array<{ name: string; value: string }> } };
		}>;
	};
	const fieldsOf = (node: string) =>
		example.nodes.find(({ name }) => name === node)!.parameters.assignments!.assignments;

	it('calls the nodes of the example by their names', () => {
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
		const [headings] = fieldsOf('The file')[0]!.value.split('\n');
		expect(listedColumns!.match(/\w+(?=`)/g)).toEqual(headings!.split(','));
	});

	it('says which headings Map Automatically finds', () => {
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

	it('counts rows as the example does', () => {
		expect(fieldsOf('Number the rows')).toMatchObject([{ value: '={{ $itemIndex + 2 }}' }]);
		expect(page).toContain('_Number the rows_ counts from 2');
	});
});
