// Protects contributors who follow CONTRIBUTING.md: its files and commands exist, and its examples compile and pass tests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import services from '../../contracts/services.json';
import manifest from '../../package.json';
import { listSentFields } from '../tables/walk';
import { root } from './files';
import { guide, ProjectCopy, readGuide } from './guide';

const { steps, otherBlocks } = readGuide();
const [contract, operation, resource, handler, sandboxTest, sample, changelog] = steps;
const SECOND_EXAMPLE = 'nodes/EventData/registration/move.ts';

it('CONTRIBUTING names files and folders that exist, except those that the examples create', () => {
	const namedFiles = guide.match(
		/(?<=[`\s])(contracts|docs|nodes|sandbox|test|\.ci)\/[\w./]*\w(?=[`\s])/g,
	)!;
	expect(namedFiles.length).toBeGreaterThan(20);
	const absent = namedFiles.filter((file) => !existsSync(join(root, file)));
	expect(absent.filter((file) => file !== operation!.file && file !== SECOND_EXAMPLE)).toEqual([]);
});

it('CONTRIBUTING names commands that exist', () => {
	const namedScripts = [...guide.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script!);
	expect(namedScripts.length).toBeGreaterThan(5);
	expect(namedScripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
});

it('CONTRIBUTING has seven steps, each with the file that it edits, and a second example', () => {
	expect(steps.map(({ file, blocks }) => `${file} ${blocks.length}`)).toEqual([
		'contracts/eventData.yaml 1',
		'nodes/EventData/session/delete.ts 1',
		'nodes/EventData/session/index.ts 0',
		'sandbox/eventData/handlers.ts 1',
		'test/sandbox/eventDataSandbox.test.ts 2',
		'test/support/samples/eventData.ts 1',
		'CHANGELOG.md 1',
	]);
	expect(otherBlocks).toHaveLength(1);
});

describe('the examples of CONTRIBUTING, applied to a copy of the project', () => {
	const copy = new ProjectCopy();
	afterAll(() => copy.remove());

	// With one service the tests below take a third of the time. That service has no JWT bodies, so the test of those is removed.
	const CONTRACT_EXAMPLES = 'test/contracts/examples.test.ts';
	copy.write('contracts/services.json', JSON.stringify({ eventData: services.eventData }));
	copy.write(
		CONTRACT_EXAMPLES,
		copy
			.read(CONTRACT_EXAMPLES)
			.replace(/^it\('contracts describe the claims of every JWT[\s\S]*/m, ''),
	);

	// The example is already in the project of a contributor who has followed the guide.
	if (!existsSync(join(root, operation!.file))) {
		copy.insert(contract!.file, '\n  /registrations:\n', contract!.blocks[0]!, '    ');
		copy.write(operation!.file, operation!.blocks[0]!);
		// The third step has no code block, only a sentence.
		copy.insert(resource!.file, 'import { create }', "import { remove } from './delete';\n");
		copy.insert(resource!.file, 'create,', 'delete: remove, ');
		copy.insert(handler!.file, '\n\t\tgetManyRegistrations(', handler!.blocks[0]!);
		copy.insert(sandboxTest!.file, '\t\tgetManyRegistrations: [', sandboxTest!.blocks[0]!);
		copy.insert(sandboxTest!.file, "\t['GET', '/registrations/reg_1'],", sandboxTest!.blocks[1]!);
		copy.insert(
			sample!.file,
			"\trecordSample('session', 'get', { output: 'title' }),",
			sample!.blocks[0]!,
		);
		copy.insert(changelog!.file, `\n## ${manifest.version} `, changelog!.blocks[0]!);
	}
	copy.write(SECOND_EXAMPLE, otherBlocks[0]!);

	it('compile without errors', () => {
		const files = [operation!.file, resource!.file, handler!.file, SECOND_EXAMPLE];
		expect(copy.typeErrors(files)).toEqual([]);
	});

	it('send the fields that the second example declares', () => {
		const { move } = copy.load(`./${SECOND_EXAMPLE}`) as Record<
			string,
			Parameters<typeof listSentFields>[0]
		>;
		expect(
			listSentFields(move!).map(({ place, name, isAlwaysSent }) => ({ place, name, isAlwaysSent })),
		).toEqual([
			{ place: 'path', name: 'registrationId', isAlwaysSent: true },
			{ place: 'body', name: 'eventId', isAlwaysSent: true },
			{ place: 'query', name: 'notify', isAlwaysSent: false },
		]);
	});

	// Each of these files defines its tests inside of this `describe`.
	copy.load('./test/tables/tables.test.ts');
	copy.load('./test/tables/samples.test.ts');
	copy.load('./test/rules/changelog.test.ts');
	copy.load(`./${CONTRACT_EXAMPLES}`);
	copy.load('./test/sandbox/eventDataSandbox.test.ts');
});
