// Protects readers from outdated counts: no page contains a count of services or operations that was written by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const pages = [
	'README.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'docs/architecture.md',
	'docs/testing.md',
	'docs/glossary.md',
	'docs/releasing.md',
	'docs/reliability.md',
	'docs/operating.md',
];

/** Removes generated text, whose numbers the generator keeps current. */
const removeGeneratedText = (page: string) =>
	page.replace(/<!-- [^>]*written by.*?<!-- end of [^>]*-->/gs, '');

const WRITTEN_COUNT =
	/\b(\d+|two|three|four|five|six|seven|eight|nine|ten|a dozen) (\S+ )?(services|operations|contracts|credential types)\b/gi;

it('the check finds a count that was written by hand, but none in generated text', () => {
	const page = 'all four services\n<!-- it: written by me -->\n81 operations\n<!-- end of it -->';
	expect(removeGeneratedText(page).match(WRITTEN_COUNT)).toEqual(['four services']);
});

// A count becomes wrong with the next addition. Write "every operation", or let a program write the number.
it.each(pages)(
	'%s contains no count of services or operations that was written by hand',
	(page) => {
		const text = removeGeneratedText(readFileSync(join(root, page), 'utf8'));
		expect(text.match(WRITTEN_COUNT)).toBeNull();
	},
);
