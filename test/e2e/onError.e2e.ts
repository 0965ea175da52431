// Protects approvals in a node that continues on errors: if its credential is deleted, a forged input never passes for one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, listApprovalIds } from '../../lab/drive/flows';
import type { FlowNode, Run } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';

/** Input that passes for an approval. */
const forgeNode: FlowNode = {
	name: 'Forge',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { mode: 'raw', jsonOutput: '{ "approved": true, "outcome": "approved" }' },
};
const noOp = (name: string): FlowNode => ({ name, type: 'n8n-nodes-base.noOp', parameters: {} });

describe('an approval with a forged input, in a real n8n', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-on-error-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	/** Creates a credential of its own, and a workflow that uses it. */
	async function openFlow(onError: string) {
		const name = 'To be deleted';
		const type = 'twoFactorApi';
		const body = { name, type, data: lab.sandbox.credentials[type] };
		const { id } = unwrap<{ id: string }>((await lab.rest.post('/credentials', body)).data);
		const to = (node: string) => [{ node, type: 'main', index: 0 }];
		const flow = await Flow.open(
			{ ...lab, credentials: [{ id, name, type }] },
			[forgeNode, approvalNode('Ask', {}, { onError }), noOp('Pay'), noOp('Reject')],
			{},
			{},
			{ Ask: { main: [to('Pay'), to('Reject')] }, Pay: { main: [] } },
		);
		return { flow, deleteCredential: async () => await lab.rest.delete(`/credentials/${id}`) };
	}

	/** Expects that the item failed, and that nothing in it passes for an approval. */
	async function expectFailure(run: Run, onError: string) {
		await run.waitForStatus('success', 30_000);
		const isSplit = onError === 'continueErrorOutput';
		expect(await run.nodeRuns(isSplit ? 'Pay' : 'Reject')).toEqual([]);
		expect(await run.items(isSplit ? 'Reject' : 'Pay')).toEqual([
			{ error: expect.stringContaining('does not exist') },
		]);
	}

	describe.each(['continueRegularOutput', 'continueErrorOutput'])('On Error: %s', (onError) => {
		test('fails if the credential was deleted before the start', async () => {
			const askedIds = listApprovalIds(lab);
			const { flow, deleteCredential } = await openFlow(onError);
			await deleteCredential();
			await expectFailure(await flow.start(), onError);
			expect(listApprovalIds(lab)).toEqual(askedIds);
		});

		test('fails if the credential was deleted while parked and the person denied', async () => {
			const { flow, deleteCredential } = await openFlow(onError);
			const run = await (await flow.start()).waitForStatus('waiting');
			await deleteCredential();
			decideApproval(lab.sandbox, listApprovalIds(lab).at(-1)!, 'denied');
			await expectFailure(run, onError);
		});
	});
});
