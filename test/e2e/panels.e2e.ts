// Protects users of the editor: the panel of each operation and trigger shows no error text and no text that is cut off.
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

/** If set, the tests also check the dark theme, and save a picture of every panel. */
const { GATEHOUSE_PICTURES } = process.env;
const THEMES = GATEHOUSE_PICTURES ? ['light', 'dark'] : ['light'];
const NEXT_NODE = 'Shift+Alt+Control+ArrowRight';

/** A node whose panel is checked. */
interface PanelNode {
	name: string;
	parameters: Record<string, string>;
	type: string;
	/** Whether the list of operations is opened in this panel: once per resource. */
	opensOperationList: boolean;
}

/** Lists a node for the trigger and for every operation of a service. */
function listPanelNodes({ name, service, Trigger }: PackService): PanelNode[] {
	const operations = Object.entries(service.resources).flatMap(
		([resource, { operations: resourceOperations }]) =>
			Object.keys(resourceOperations).map((operation, index) => ({
				name: `${resource} ${operation}`,
				parameters: { resource, operation },
				type: `n8n-nodes-gatehouse.${name}`,
				opensOperationList: index === 0,
			})),
	);
	if (!Trigger) return operations;
	const type = `n8n-nodes-gatehouse.${name}Trigger`;
	return [
		{ name: `${name} Trigger`, parameters: {}, type, opensOperationList: false },
		...operations,
	];
}

/** Returns the first part of a node's ID. n8n's URLs contain as many of its characters as needed. */
const nodeIdPrefix = (index: number) => String(100 + index).padEnd(8, '0');

function buildPanelWorkflow(panelNodes: PanelNode[], credential: string): WorkflowFile {
	return {
		name: 'Every panel',
		nodes: panelNodes.map(({ name, parameters, type }, index) => ({
			id: `${nodeIdPrefix(index)}-0000-4000-8000-000000000000`,
			name,
			parameters,
			type,
			typeVersion: 1,
			position: [index * 220, 0],
			credentials: { [credential]: {} },
		})),
		connections: Object.fromEntries(
			panelNodes.slice(1).map(({ name }, index) => {
				return [panelNodes[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }];
			}),
		),
	};
}

/** Goes to the next panel. The editor ignores the key while a list closes, so it is pressed up to three times. */
async function stepTo(page: Page, index: number): Promise<void> {
	const isPanelUrl = (expectedIndex: number) => (url: URL) =>
		nodeIdPrefix(expectedIndex).startsWith(url.pathname.split('/')[3] ?? 'none');
	for (let press = 1; ; press++) {
		await page.keyboard.press(NEXT_NODE);
		try {
			return await page.waitForURL(isPanelUrl(index), { timeout: 10_000 });
		} catch (error) {
			if (press === 3 || !isPanelUrl(index - 1)(new URL(page.url()))) throw error;
		}
	}
}

/** Goes from panel to panel with n8n's own keys, and returns the faults of each. */
async function walkPanels(
	editor: Editor,
	panelNodes: PanelNode[],
	theme: string,
): Promise<Record<string, string[]>> {
	const { page, panel } = editor;
	const faultsByPanel: Record<string, string[]> = {};
	for (const [index, { name, opensOperationList }] of panelNodes.entries()) {
		if (index > 0) await stepTo(page, index);
		await panel.waitUntilOpen();
		// Lists and forms are fetched when a panel opens.
		await page.waitForLoadState('networkidle');
		const faults = await findPanelFaults(page, '[data-test-id="node-parameters"]');
		if (GATEHOUSE_PICTURES) await screenshot(page, `panel ${theme} ${name}`);
		if (opensOperationList) {
			await panel.openOptionsOf('operation');
			faults.push(...(await findPanelFaults(page, '.el-select-dropdown:visible')));
			if (GATEHOUSE_PICTURES) await screenshot(page, `panel ${theme} ${name} list`);
			await page.keyboard.press('Escape');
			await panel.waitUntilOpen();
		}
		if (faults.length > 0) faultsByPanel[name] = faults;
	}
	return faultsByPanel;
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
			'of $name shows no error text, and no text that is cut off',
			async (packService) => {
				await withScreenshotOnFailure(
					() => session,
					async ({ lab, openEditor }) => {
						const panelNodes = listPanelNodes(packService);
						const { name: credential } = new packService.Credential();
						const workflow = buildPanelWorkflow(panelNodes, credential);
						const { id } = await createWorkflow(lab.rest, workflow, lab.credentials);
						const editor = await openEditor({ dark: theme === 'dark' });
						await editor.page.goto(`${lab.n8nUrl}/workflow/${id}/${nodeIdPrefix(0)}`);
						expect(await walkPanels(editor, panelNodes, theme)).toEqual({});
						await editor.context.close();
					},
				)();
			},
			600_000,
		);
	});
});
