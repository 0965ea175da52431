// Protects users from unclear words: no text that the pack, the lab or the sandbox shows contains a word to avoid.
import services from '../../contracts/services.json';
import { packServices } from '../support/pack';
import {
	AVOIDED,
	avoidedIn,
	codeOf,
	filesWith,
	textsInCode,
	textsInExample,
	textsInPage,
	textsShown,
} from './wording';

const TRIGGER_ENGINE_FILE = /^nodes\/engine\/(trigger\/|submit\/)/;
const SERVICE_TRIGGER_FILE = /\/trigger\/definition\.ts$|Trigger\.node\.ts$/;

const descriptions = packServices.flatMap(({ Node, Trigger, Credential }) => [
	...[Node, ...(Trigger ? [Trigger] : [])].map((Type) => new Type().description),
	new Credential(),
]);

const panels = packServices.map(
	({ Node, Credential }) =>
		[
			`the panels of ${new Node().description.displayName}`,
			() => textsShown([new Node().description, new Credential()]),
		] as const,
);
const triggerPanels = packServices.flatMap(({ Trigger }) =>
	Trigger
		? [
				[
					`the panel of ${new Trigger().description.displayName}`,
					() => textsShown(new Trigger().description),
				] as const,
			]
		: [],
);

/** The texts that users see, by area. */
const AREAS: Record<string, () => string[]> = {
	...Object.fromEntries([...panels, ...triggerPanels]),
	'nodes/engine': () => codeOf('nodes/engine', TRIGGER_ENGINE_FILE).flatMap(textsInCode),
	...Object.fromEntries(
		Object.values(services).map(({ folder }) => [
			`nodes/${folder}`,
			() => codeOf(`nodes/${folder}`, SERVICE_TRIGGER_FILE).flatMap(textsInCode),
		]),
	),
	'the triggers': () =>
		[
			...codeOf('nodes').filter((file) => TRIGGER_ENGINE_FILE.test(file)),
			...codeOf('nodes').filter((file) => SERVICE_TRIGGER_FILE.test(file)),
		].flatMap(textsInCode),
	credentials: () => codeOf('credentials').flatMap(textsInCode),
	'the pages of the sandbox': () => [
		...filesWith('sandbox', '.html').flatMap(textsInPage),
		...codeOf('sandbox').flatMap(textsInCode),
	],
	'the terminal': () => codeOf('lab').flatMap(textsInCode),
	'the examples': () => filesWith('examples', '.json').flatMap(textsInExample),
	'README.md': () => textsInPage('README.md'),
};

it.each(Object.keys(AREAS))('%s contains no words to avoid', (area) => {
	const texts = AREAS[area]!();
	expect(texts.length).toBeGreaterThan(20);
	expect(texts.filter((text) => avoidedIn(text).length > 0)).toEqual([]);
});

it.each(AVOIDED)('the pattern %s finds the word to avoid in its example', (word, example) => {
	expect(example).toMatch(word);
});

it('the check finds texts of panels, errors, examples and pages', () => {
	const shownTexts = textsShown(descriptions);
	expect(shownTexts).toEqual(
		expect.arrayContaining([
			'Resource',
			'Send by SMS',
			'Send a code by SMS',
			'Text an enrolled user a one-time code',
			'e.g. 100001',
			'Base URL',
			'Publish the workflow to run it automatically.',
		]),
	);
	expect(shownTexts).not.toContain('twofactorId');
	expect(textsInCode('nodes/engine/http/path.ts')).toContain("'…' is missing");
	expect(textsInExample(filesWith('examples', '.json').sort()[0]!).length).toBeGreaterThan(5);
	expect(textsInPage('README.md').length).toBeGreaterThan(50);
});
