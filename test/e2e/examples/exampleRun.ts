import { workflowId } from '../../../lab/workflows';
import type { Session } from '../support/session';
import { Visitor } from './forms';
import { phone, services } from './readBack';
import { ended, eventually, execute, executionsOf } from './runs';
import type { Ended } from './runs';

/** An example in a running n8n, and everybody around it. */
export interface ExampleRun {
	lab: Session['lab'];
	/** The services, asked directly. */
	ask: ReturnType<typeof services>;
	/** The person who holds the phone. */
	user: ReturnType<typeof phone>;
	/** Presses "Execute workflow", does something meanwhile, and waits for the end, which must be a success. */
	run(meanwhile?: () => Promise<void>, from?: string): Promise<Ended>;
	/** Does something that makes the workflow start by itself, and waits for the end of that run. */
	startedBy(cause: () => Promise<void>): Promise<Ended>;
	/** Sends a form as it is, types a code into its second page, and reads the page with that heading. */
	fillIn(form: string, code: () => string, heading: string): Promise<string>;
}

/** What an example must do. */
export interface Scenario {
	does: string;
	play(run: ExampleRun): Promise<void>;
}

/** Sets the run for the example of that file, which the lab has imported. */
export function exampleRunOf({ lab, browser }: Session, file: string): ExampleRun {
	const { rest, n8nUrl } = lab;
	const id = workflowId(file);
	const visitors: Visitor[] = [];
	const successful = (run: Ended): Ended => {
		expect({ status: run.status, error: run.error }).toEqual({
			status: 'success',
			error: undefined,
		});
		return run;
	};
	return {
		lab,
		ask: services(lab.sandbox),
		user: phone(lab),
		async run(meanwhile, from = 'Start here') {
			const execution = await execute(rest, id, from);
			await meanwhile?.();
			return successful(await ended(rest, execution));
		},
		async startedBy(cause) {
			const before = new Set(await executionsOf(rest, id));
			await cause();
			const started = await eventually('A run that started by itself', async () =>
				(await executionsOf(rest, id)).find((execution) => !before.has(execution)),
			);
			const run = await ended(rest, started);
			// A form's last page ends the run, so nobody leaves before.
			await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
			return successful(run);
		},
		async fillIn(form, code, heading) {
			const visitor = await Visitor.open(browser, `${n8nUrl}/form/${form}`);
			visitors.push(visitor);
			await visitor.send('Check your phone');
			await visitor.fill('Code', code());
			return await visitor.send(heading);
		},
	};
}
