// Protects users of the examples: each opens without issues, does its task for one item and three, and can move to n8n 3.
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { examplesFolder } from '../../lab/lab';
import { createWorkflow, readWorkflow } from '../../lab/workflows';
import { agents, threeItemAgents } from './examples/agents';
import { answers, threeItemAnswers } from './examples/answers';
import { contactSync, threeItemContactSync } from './examples/contactSync';
import { events } from './examples/events';
import { createExampleRun } from './examples/exampleRun';
import { following } from './examples/following';
import { people } from './examples/people';
import { threeItemPrograms, program } from './examples/program';
import { threeItemSeveralPeople, severalPeople } from './examples/severalPeople';
import { threeItemBasics } from './examples/threeItemScenarios';
import { threeItemWaits, waits } from './examples/waits';
import { resumeTimer } from './park/resumeTimer';
import { screenshot } from './support/artifacts';
import { createMigrationReport } from './support/migrationReport';
import { withScreenshotOnFailure, startSession } from './support/session';
import type { Session } from './support/session';

const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
const threeItemScenarios = {
	...threeItemBasics,
	...threeItemAgents,
	...threeItemPrograms,
	...threeItemAnswers,
	...threeItemContactSync,
	...threeItemSeveralPeople,
	...threeItemWaits,
};
const scenarios = {
	...people,
	...events,
	...following,
	...agents,
	...program,
	...answers,
	...contactSync,
	...severalPeople,
	...waits,
};

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;

describe('the examples', () => {
	let session: Session;

	beforeAll(async () => {
		session = await startSession({ examples: examplesFolder, env: resumeTimer(TIMER_S) });
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	test('each have a scenario', () => {
		expect(Object.keys(scenarios).sort()).toEqual([...files].sort());
	});

	test("need no migration to n8n 3, according to n8n's own report", async () => {
		const { rest, credentials, examples } = session.lab;
		expect(examples).toHaveLength(files.length);
		// The report must find this workflow: that shows that it reads workflows.
		const oldNode = { id: 'old', typeVersion: 1, position: [0, 0], parameters: {} };
		const nodes = [{ ...oldNode, name: 'Old', type: 'n8n-nodes-base.aiTransform' }];
		const affected = await createWorkflow(
			rest,
			{ name: 'Affected', nodes, connections: {} },
			credentials,
		);
		expect(await createMigrationReport(rest, 'v3')).toEqual([
			{ rule: 'ai-transform-deprecated', workflow: affected.id },
		]);
		await rest.post(`/workflows/${affected.id}/archive`, {});
		await rest.delete(`/workflows/${affected.id}`);
	});

	/** Opens each workflow from the list and goes back, as a person does. Loading the editor each time takes far longer. */
	const checkCanvases = async ({ editor }: Session) => {
		const { page } = editor;
		const cards = page.getByTestId('resources-list-item-workflow');
		for (const file of files) {
			const { name, nodes } = await readWorkflow(path.join(examplesFolder, file));
			const card = cards.filter({ has: page.getByText(name, { exact: true }) });
			await card.getByTestId('workflow-card-name').click();
			for (const node of nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')) {
				await editor.node(node.name).waitFor();
			}
			await page.waitForTimeout(300);
			await screenshot(page, `example ${file.slice(0, 2)}`);
			const issueCount = await page.getByTestId('node-issues').count();
			expect({ file, issueCount }).toEqual({ file, issueCount: 0 });
			await page.goBack();
			await cards.first().waitFor();
		}
		expect(editor.pageErrors).toEqual([]);
	};
	test(
		'open in the editor with all their nodes and without issues',
		withScreenshotOnFailure(() => session, checkCanvases),
	);

	test.each(Object.entries(scenarios).map(([file, { does, play }]) => ({ file, does, play })))(
		'$file $does',
		async ({ file, play }) => await play(createExampleRun(session, file)),
	);

	test('each have a three-item scenario', () => {
		expect(Object.keys(threeItemScenarios).sort()).toEqual([...files].sort());
	});

	test.each(Object.entries(threeItemScenarios))(
		'%s handles three items at once',
		async (file, play) => {
			await play(createExampleRun(session, file));
		},
	);
});
