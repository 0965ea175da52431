import type { Page } from 'playwright-core';

import { createWorkflow } from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';
import { packServices } from '../support/pack';
import type { PackService } from '../support/pack';
import { screenshot } from './support/artifacts';
import type { Editor } from './support/editor';
import { findPanelFaults } from './support/panelFaults';
import { withScreenshotOnFailure, startSession } from './support/session';
import type { Session } from './support/session';

/** With it, the dark theme is walked through, too, and a picture of every panel is left behind. */
const { GATEHOUSE_PICTURES } = process.env;
const THEMES = GATEHOUSE_PICTURES ? ['light', 'dark'] : ['light'];
const NEXT_NODE = 'Shift+Alt+Control+ArrowRight';

interface Stop {
	name: string;
	parameters: Record<string, string>;
	type: string;
	/** Whether the list of operations is opened there: once per resource. */
	opens: boolean;
}

/** Every operation of a service, each in a node of its own, one after the other. */
function stopsOf({ name, service, Trigger }: PackService): Stop[] {
	const operations = Object.entries(service.resources).flatMap(([resource, { operations: all }]) =>
		Object.keys(all).map((operation, index) => ({
			name: `${resource} ${operation}`,
			parameters: { resource, operation },
			type: `n8n-nodes-gatehouse.${name}`,
			opens: index === 0,
		})),
	);
	if (!Trigger) return operations;
	const type = `n8n-nodes-gatehouse.${name}Trigger`;
	return [{ name: `${name} Trigger`, parameters: {}, type, opens: false }, ...operations];
}

/** The beginning of a node's id; n8n's addresses show as much of it as it takes. */
const idOf = (index: number) => String(100 + index).padEnd(8, '0');

function lineOf(stops: Stop[], credential: string): WorkflowFile {
	return {
		name: 'Every panel',
		nodes: stops.map(({ name, parameters, type }, index) => ({
			id: `${idOf(index)}-0000-4000-8000-000000000000`,
			name,
			parameters,
			type,
			typeVersion: 1,
			position: [index * 220, 0],
			credentials: { [credential]: {} },
		})),
		connections: Object.fromEntries(
			stops.slice(1).map(({ name }, index) => {
				return [stops[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }];
			}),
		),
	};
}

/** Goes to the next panel. A key is lost on a list that is just being closed. */
async function stepTo(page: Page, index: number): Promise<void> {
	const isAt = (at: number) => (url: URL) =>
		idOf(at).startsWith(url.pathname.split('/')[3] ?? 'none');
	for (let press = 1; ; press++) {
		await page.keyboard.press(NEXT_NODE);
		try {
			return await page.waitForURL(isAt(index), { timeout: 10_000 });
		} catch (error) {
			if (press === 3 || !isAt(index - 1)(new URL(page.url()))) throw error;
		}
	}
}

/** Walks from panel to panel by n8n's own keys, and gives what is wrong in each. */
async function walkPanels(
	editor: Editor,
	stops: Stop[],
	look: string,
): Promise<Record<string, string[]>> {
	const { page, panel } = editor;
	const found: Record<string, string[]> = {};
	for (const [index, { name, opens }] of stops.entries()) {
		if (index > 0) await stepTo(page, index);
		await panel.waitUntilOpen();
		// Lists and forms are fetched when a panel opens.
		await page.waitForLoadState('networkidle');
		const faults = await findPanelFaults(page, '[data-test-id="node-parameters"]');
		if (GATEHOUSE_PICTURES) await screenshot(page, `panel ${look} ${name}`);
		if (opens) {
			await panel.openOptionsOf('operation');
			faults.push(...(await findPanelFaults(page, '.el-select-dropdown:visible')));
			if (GATEHOUSE_PICTURES) await screenshot(page, `panel ${look} ${name} list`);
			await page.keyboard.press('Escape');
			await panel.waitUntilOpen();
		}
		if (faults.length > 0) found[name] = faults;
	}
	return found;
}

describe('every panel in the editor', () => {
	let session: Session;

	beforeAll(async () => {
		session = await startSession();
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	describe.each(THEMES)('in the %s theme', (theme) => {
		test.each(packServices)(
			'of $name shows no alarm, and no text that is cut off',
			async (part) => {
				await withScreenshotOnFailure(
					() => session,
					async ({ lab, openEditor }) => {
						const stops = stopsOf(part);
						const { name: credential } = new part.Credential();
						const line = lineOf(stops, credential);
						const { id } = await createWorkflow(lab.rest, line, lab.credentials);
						const editor = await openEditor({ dark: theme === 'dark' });
						await editor.page.goto(`${lab.n8nUrl}/workflow/${id}/${idOf(0)}`);
						expect(await walkPanels(editor, stops, theme)).toEqual({});
						await editor.context.close();
					},
				)();
			},
			600_000,
		);
	});
});
