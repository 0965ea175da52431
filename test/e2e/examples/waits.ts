import { Run } from '../../../lab/drive/flows';
import { deriveWorkflowId } from '../../../lab/workflows';
import type { ExampleRun, Scenario } from './exampleRun';
import { execute, waitForEnd } from './runs';

/** Runs the example while another one asks the manager about three payments. Then all three are denied. */
async function readTable({ lab, manager, run }: ExampleRun, from: string) {
	const asking = await execute(
		lab.rest,
		deriveWorkflowId('15-sign-off-a-payment.json'),
		'Start here',
	);
	const approvals = await manager.waitForApprovals(3);
	await new Run(lab, asking).waitForStatus('waiting');
	const endedRun = await run(undefined, from);
	for (const approval of approvals) await manager.decide('denied', approval);
	const { status, json } = await waitForEnd(lab.rest, asking);
	expect(status).toBe('success');
	expect(json('Not paid')).toHaveLength(3);
	return endedRun.json('Send it').filter(({ execution }) => execution === asking);
}

const rowOf = (payee: string) => ({
	person: 'Morgan Ellery',
	question: expect.stringMatching(`^Pay EUR .* to ${payee}\\?$`) as string,
	hours: 0,
	until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
	workflow: 'Sign off a payment',
	execution: expect.any(String) as string,
});
const PAYEES = ['Harbor Hall rental', '.*', 'Lumen Stage Lights'];

/** Scenario of the example that lists what executions wait for. */
export const waits: Record<string, Scenario> = {
	'24-what-waits-for-whom.json': {
		does: 'lists person, question and age of each wait',
		async play(example) {
			expect(await readTable(example, 'Start here')).toEqual(PAYEES.map(rowOf));
		},
	},
};

export const threeItemWaits: Record<string, (run: ExampleRun) => Promise<void>> = {
	async '24-what-waits-for-whom.json'(example) {
		expect(await readTable(example, 'Every morning')).toHaveLength(3);
	},
};
