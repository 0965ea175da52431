import type { IDataObject } from 'n8n-workflow';

import { Run } from '../../../lab/drive/flows';
import { unwrap } from '../../../lab/rest';
import { createWorkflow, deriveWorkflowId } from '../../../lab/workflows';
import type { WorkflowFile } from '../../../lab/workflows';
import type { Session } from '../support/session';
import { Visitor } from './forms';
import { openPhone } from './openPhone';
import { waitForEnd, pollUntil, execute, listExecutionIds } from './runs';
import type { EndedExecution } from './runs';
import { createServiceClient } from './serviceClient';

/** Includes a restart of n8n, after which a parked execution resumes by its timer. */
const LONGEST_RUN_MS = 180_000;

/** An example in a running n8n, with the services and the people that it needs. */
export interface ExampleRun {
	/** The workflow's ID. */
	id: string;
	lab: Session['lab'];
	/** Calls the services directly, past n8n and the pack. */
	serviceClient: ReturnType<typeof createServiceClient>;
	/** Phones of the guest, and of the manager who approves. */
	user: ReturnType<typeof openPhone>;
	manager: ReturnType<typeof openPhone>;
	/** Presses "Execute workflow", calls `meanwhile`, and waits for the end of the run, which must succeed. */
	run(meanwhile?: (execution: Run) => Promise<void>, from?: string): Promise<EndedExecution>;
	/** Runs a copy of the example in which a node returns these items, as if they were pinned in the editor. */
	runWith(
		node: string,
		items: IDataObject[],
		meanwhile?: (execution: Run) => Promise<void>,
		from?: string,
	): Promise<EndedExecution>;
	/** Calls `cause`, which must make a trigger start the workflow once, and waits for the end of the run. */
	triggerRun(cause: () => Promise<void>): Promise<EndedExecution>;
	/** Calls `cause`, which must make a trigger start the workflow `count` times, and waits for the end of all runs. */
	triggerRuns(count: number, cause: () => Promise<void>): Promise<EndedExecution[]>;
	/** Sends a form, types a code into its second page, and returns the text of the page with this heading. */
	fillIn(
		form: string,
		code: () => string,
		heading: string,
		answers?: Record<string, string>,
	): Promise<string>;
}

/** Expected behavior of an example. `does` continues a sentence that begins with the file's name. */
export interface Scenario {
	does: string;
	play(run: ExampleRun): Promise<void>;
}

/** Creates the run of an example that the lab has imported, by its file. */
export function createExampleRun({ lab, browser }: Session, file: string): ExampleRun {
	const { rest, n8nUrl } = lab;
	const id = deriveWorkflowId(file);
	const visitors: Visitor[] = [];
	const expectSuccess = (run: EndedExecution): EndedExecution => {
		expect({ status: run.status, error: run.error }).toEqual({
			status: 'success',
			error: undefined,
		});
		return run;
	};
	const triggerRuns = async (
		count: number,
		cause: () => Promise<void>,
	): Promise<EndedExecution[]> => {
		const idsBefore = new Set(await listExecutionIds(rest, id));
		await cause();
		const startedIds = await pollUntil(`${count} runs that started by themselves`, async () => {
			const newIds = (await listExecutionIds(rest, id)).filter(
				(execution) => !idsBefore.has(execution),
			);
			return newIds.length >= count ? newIds : undefined;
		});
		expect(startedIds).toHaveLength(count);
		const runs = await Promise.all(
			startedIds.map(async (execution) => await waitForEnd(rest, execution)),
		);
		// A form's last page ends the run, so no visitor leaves before it.
		await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
		return runs.map(expectSuccess);
	};
	return {
		id,
		lab,
		serviceClient: createServiceClient(lab.sandbox),
		user: openPhone(lab, lab.sandbox.demo.user),
		manager: openPhone(lab, lab.sandbox.demo.manager),
		async run(meanwhile, from = 'Start here') {
			const execution = await execute(rest, id, from);
			await meanwhile?.(new Run(lab, execution));
			return expectSuccess(await waitForEnd(rest, execution, LONGEST_RUN_MS));
		},
		async runWith(node, items, meanwhile, from = 'Start here') {
			const example = unwrap<WorkflowFile>((await rest.get(`/workflows/${id}`)).data);
			const pinData = { [node]: items.map((json) => ({ json })) };
			const copy = await createWorkflow(rest, { ...example, pinData }, lab.credentials);
			const execution = await execute(rest, copy.id, from);
			await meanwhile?.(new Run(lab, execution));
			return expectSuccess(await waitForEnd(rest, execution, LONGEST_RUN_MS));
		},
		async triggerRun(cause) {
			const [run] = await triggerRuns(1, cause);
			return run!;
		},
		triggerRuns,
		async fillIn(form, code, heading, answers = {}) {
			const visitor = await Visitor.open(browser, `${n8nUrl}/form/${form}`);
			visitors.push(visitor);
			for (const [label, text] of Object.entries(answers)) await visitor.fill(label, text);
			await visitor.send('Check your phone');
			await visitor.fill('Code', code());
			return await visitor.send(heading);
		},
	};
}
