// Protects newcomers after a typical mistake: a message without technical terms says what is wrong and how to correct it.
import { mistakes } from './newcomer/mistakes';
import { NewcomerActions } from './newcomer/newcomerActions';
import { screenshot } from './support/artifacts';
import { withScreenshotOnFailure, startSession } from './support/session';
import type { Session } from './support/session';

/** Terms that only programmers understand: parts of a request, schema rules, names of network failures, stack traces. */
const TECHNICAL_TERMS =
	/\b(body|query|params|path)\/\w|must (match|NOT|have required)|\bE[A-Z]{5,}\b|\[object|undefined|\bnull\b|^\s+at /m;

/** The action by which each node is added, and the resource and operation that it selects. */
const FIRST_ACTIONS = {
	'Two-Factor': { action: 'Send a code by SMS', chosen: 'One-Time Code Send by SMS' },
	'Event Registration': { action: 'Create a registration', chosen: 'Registration Create' },
};

describe('a newcomer gets a message that explains the mistake', () => {
	let session: Session;
	let newcomer: NewcomerActions;
	let openNode = '';
	let chosenOperation = '';

	beforeAll(async () => {
		session = await startSession();
		newcomer = new NewcomerActions(session.editor);
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	test.each(mistakes)('after $title ($node)', async (mistake) => {
		await withScreenshotOnFailure(
			() => session,
			async ({ editor, lab }) => {
				const { panel, page } = editor;
				if (openNode !== mistake.node) {
					await newcomer.beginWorkflow();
					await newcomer.addNext(mistake.node, FIRST_ACTIONS[mistake.node].action);
					({ chosen: chosenOperation } = FIRST_ACTIONS[mistake.node]);
					openNode = mistake.node;
				}
				const { resource, operation } = mistake;
				if (chosenOperation !== `${resource} ${operation}`)
					await panel.chooseOperation(resource, operation);
				chosenOperation = `${resource} ${operation}`;
				await mistake.make({ newcomer, editor, lab });
				expect(await panel.execute()).toBe('error');
				const { message, description } = await panel.readError();
				await screenshot(page, `newcomer mistake ${mistake.title.replaceAll(/\W+/g, ' ')}`);
				expect(message).toContain(mistake.expectedMessage);
				expect(description).toContain(mistake.expectedAdvice);
				expect(await page.getByTestId('output-panel').innerText()).not.toMatch(TECHNICAL_TERMS);
			},
		)();
	});

	test(
		'after publishing a trigger for an event that does not exist',
		withScreenshotOnFailure(
			() => session,
			async ({ editor }) => {
				const { panel, page } = editor;
				await editor.openNewWorkflow();
				await editor.addNode('Event Registration', 'On registration created');
				await newcomer.typeId('eventId', '9999');
				await panel.close();
				await newcomer.addNext('No Operation, do nothing');
				await panel.close();
				await newcomer.startPublishing();
				const notice = page.getByText("Event 9999 doesn't exist, or this key can't see it");
				await notice.first().waitFor();
				await screenshot(page, 'newcomer mistake trigger');
				await expect(notice.first().innerText()).resolves.toContain('Choose another event.');
			},
		),
	);
});
